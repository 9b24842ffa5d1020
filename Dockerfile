# One image for web (`npm start`) and worker (`npm run worker`) processes. The base is pinned to a release; whoever
# builds for production pins its digest too (docker buildx imagetools inspect node:24.21.0-bookworm-slim).
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY prisma ./prisma
COPY prisma.config.ts ./
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:24.21.0-bookworm-slim
ENV NODE_ENV=production
WORKDIR /app
# Code and packages belong to root: a process that was taken over cannot change what runs next.
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=build /app/app ./app
COPY --from=build /app/extensions/storefront-scripts ./extensions/storefront-scripts
COPY --from=build /app/extensions/parasol-storefront ./extensions/parasol-storefront
COPY --from=build /app/prisma ./prisma
COPY --from=build /app/package.json /app/shopify.app.toml ./
# The one folder that the process may write: the embedded database, where it is used.
RUN mkdir .data && chown node:node .data
USER node
EXPOSE 3000
CMD ["node", "app/processes/server.ts"]
