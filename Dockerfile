# One image for the web, worker and operate processes (docs/operations.md). The base is pinned to a release; a production build pins its digest too (docker buildx
# imagetools inspect node:24.21.0-bookworm-slim).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY . .
RUN npm ci
# The database client's command line and the embedded database, which production does not use, count as optional.
RUN npm run build && npm prune --omit=dev --omit=optional --ignore-scripts

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# Code and packages belong to root: a process that was taken over cannot change what runs next. Nothing is written, so
# that the container can be read-only.
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=build /app/app ./app
# What the app has in common with its extensions.
COPY --from=build /app/extensions/catalogue.ts ./extensions/catalogue.ts
COPY --from=build /app/extensions/currency-digits.ts ./extensions/currency-digits.ts
COPY --from=build /app/extensions/claim-states.ts ./extensions/claim-states.ts
COPY --from=build /app/extensions/plan-line.ts ./extensions/plan-line.ts
COPY --from=build /app/extensions/sale-rule.ts ./extensions/sale-rule.ts
COPY --from=build /app/extensions/storefront-scripts ./extensions/storefront-scripts
COPY --from=build /app/extensions/parasol-storefront ./extensions/parasol-storefront
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/package.json /app/shopify.app.toml ./
USER node
EXPOSE 3000
# Of a web process. A worker's is its /livez (docs/operations/compose.yaml).
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "app/processes/server.ts"]
