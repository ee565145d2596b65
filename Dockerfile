# The program with what it needs at run time; which service it plays is the command's word (docker-compose.yml).
FROM node:20-bookworm AS build
WORKDIR /srv/ferrolog
COPY . .
RUN npm run build && npm prune --omit=dev --ignore-scripts

FROM node:20-bookworm-slim
WORKDIR /srv/ferrolog
COPY --from=build /srv/ferrolog/package.json ./
COPY --from=build /srv/ferrolog/node_modules node_modules
COPY --from=build /srv/ferrolog/dist dist
ENV NODE_ENV=production FERROLOG_HOME=/var/lib/ferrolog
RUN mkdir -p /var/lib/ferrolog && chown node: /var/lib/ferrolog
VOLUME /var/lib/ferrolog
USER node
ENTRYPOINT ["node", "dist/apps/ferrolog/src/main.js"]
CMD ["up", "--single"]
