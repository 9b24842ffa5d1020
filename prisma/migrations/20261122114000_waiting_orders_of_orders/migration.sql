-- An order that is deleted waits for nothing.
DELETE FROM "WaitingOrder" AS w
WHERE NOT EXISTS (SELECT FROM "Order" AS o WHERE o.shop = w.shop AND o."orderId" = w."orderId");

-- AddForeignKey
ALTER TABLE "WaitingOrder" ADD CONSTRAINT "WaitingOrder_shop_orderId_fkey" FOREIGN KEY ("shop", "orderId") REFERENCES "Order"("shop", "orderId") ON DELETE CASCADE ON UPDATE CASCADE;
