# Unstuck in a container, from the packed package:
#   npm pack && docker build --build-arg PACKAGE=$(ls unstuck-*.tgz) -t unstuck .
#   docker run --rm --pid=host --cap-add SYS_PTRACE unstuck why 4371
# --pid=host shows the processes of the machine; without it, Unstuck sees those of its own container.
FROM node:20-bookworm-slim
ARG PACKAGE=unstuck-0.1.0.tgz
COPY ${PACKAGE} /tmp/unstuck.tgz
RUN npm install --global --omit=dev /tmp/unstuck.tgz && rm /tmp/unstuck.tgz && npm cache clean --force
ENTRYPOINT ["unstuck"]
CMD ["--help"]
