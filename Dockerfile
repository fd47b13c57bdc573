# A server that runs as an ordinary user on a read-only file system; what it stores is in the volume /data.
#
#   docker build -t typeplane .
#   docker run -d --name typeplane --read-only --tmpfs /tmp -v typeplane:/data -p 127.0.0.1:6443:6443 typeplane
#   docker cp typeplane:/data/kubeconfig . && kubectl --kubeconfig=kubeconfig get namespaces

ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund --loglevel=error
COPY api-definitions api-definitions
COPY bin bin
COPY cli cli
COPY generated generated
COPY generator generator
COPY package package
COPY runtime runtime
COPY LICENSE tsconfig.json typeplane.config.ts ./
# The image has its own Node, and a server needs no generator.
RUN node --disable-warning=ExperimentalWarning package/build-server.ts \
 && npm ci --omit=dev --no-audit --no-fund --loglevel=error \
 && rm -rf generator node_modules/node-linux-* node_modules/.bin/node node_modules/ts-morph node_modules/@ts-morph

FROM ${NODE_IMAGE}
# The allocator returns freed memory to the system: docs/running.md. The sources do not change any more.
ENV NODE_ENV=production \
    TYPEPLANE_BUILD=latest \
    MALLOC_ARENA_MAX=2 \
    MALLOC_TRIM_THRESHOLD_=4194304 \
    MALLOC_MMAP_THRESHOLD_=32768 \
    MALLOC_MMAP_MAX_=16384
COPY --from=build /app /app
RUN install -d -o node -g node -m 0700 /data
WORKDIR /app
VOLUME /data
USER node
EXPOSE 6443
STOPSIGNAL SIGTERM
# Any response means that the process works; servers without anonymous requests answer 401.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "-e", "require('node:https').get('https://127.0.0.1:6443/livez', { rejectUnauthorized: false }, (response) => process.exit(response.statusCode < 500 ? 0 : 1)).on('error', () => process.exit(1))"]
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "bin/typeplane.js"]
CMD ["serve", "--bind-address=0.0.0.0", "--data-dir=/data/store", "--cert-dir=/data/pki", "--kubeconfig-out=/data/kubeconfig"]
