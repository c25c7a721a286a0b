# Both stages have the same Java, so that the cache made here suits the image's.
FROM docker.io/library/eclipse-temurin:25-jdk AS build
WORKDIR /build
COPY mvnw pom.xml ./
COPY .mvn .mvn
COPY openapi openapi
COPY docs docs
COPY src src
RUN ./mvnw -B --no-transfer-progress -Dmaven.test.skip=true -Dcyclonedx.skip=false -Dchecks.skip package \
 && mv target/throughput-optimizer-*.jar throughput-optimizer.jar \
 && java -Djarmode=tools -jar throughput-optimizer.jar extract --layers --destination layers
# The native libraries of the solver lie in the image: from the jar they would be unpacked into /tmp, from where nothing may be run.
RUN mkdir -p layers/native \
 && case "$(uname -m)" in aarch64) machine=aarch64;; *) machine=x86-64;; esac \
 && cd layers/native && jar xf ../dependencies/lib/ortools-linux-$machine-*.jar ortools-linux-$machine \
 && mv ortools-linux-$machine/* . && rm -r ortools-linux-$machine ../dependencies/lib/ortools-linux-*.jar

FROM docker.io/library/eclipse-temurin:25-jre
ARG VERSION=0.1.0-SNAPSHOT
ARG REVISION=unknown
LABEL org.opencontainers.image.title="throughput-optimizer" \
      org.opencontainers.image.description="Tells a capacity planner how to serve a large language model on given accelerators." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.base.name="docker.io/library/eclipse-temurin:25-jre"
RUN useradd --system --uid 10001 --user-group --no-create-home optimizer \
 && install --directory --owner=10001 --group=10001 /data
WORKDIR /service
# From what changes least to what changes most, so that an update transfers only the last layers.
COPY --from=build /build/layers/dependencies/ ./
COPY --from=build /build/layers/native/ ./native/
COPY --from=build /build/layers/spring-boot-loader/ ./
COPY --from=build /build/layers/snapshot-dependencies/ ./
COPY --from=build /build/layers/application/ ./
# Shares of the container's memory, and bounds of what lies outside the heap, for 1 GB or more (docs/how-to/deploy.md). Without memory
# the process ends, for the engine to start it anew: one that went on would answer nothing.
ENV JDK_JAVA_OPTIONS="-XX:+UseSerialGC -Xmn96m -XX:MetaspaceSize=160m -XX:+ExitOnOutOfMemoryError -XX:MaxRAMPercentage=50 -XX:MaxMetaspaceSize=192m -XX:ReservedCodeCacheSize=128m -XX:MaxDirectMemorySize=64m --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow -Djava.library.path=/service/native"
# Loaded and linked classes of a training run, and profiles of its methods, which later starts read. Without it, or with another Java,
# the service starts all the same.
RUN java -XX:AOTCacheOutput=throughput-optimizer.aot -jar throughput-optimizer.jar train
USER 10001:10001
# Outside callers reach a container only if the service listens on all its addresses. It starts so only once there are keys in its
# database, or with OPTIMIZER_SECURITY_ACCESS=open: docs/how-to/secure.md.
ENV SERVER_ADDRESS=0.0.0.0
ENV OPTIMIZER_STORAGE_FOLDER=/data
VOLUME /data
EXPOSE 8080
# By the shell alone: no other program has to be in the image, and no second Java is started for it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=6 CMD ["bash", "-c", \
  "exec 3<>/dev/tcp/127.0.0.1/${SERVER_PORT:-8080} && printf 'GET /actuator/health/liveness HTTP/1.0\\r\\n\\r\\n' >&3 && read -r status <&3 && [[ $status == *' 200 '* ]]"]
ENTRYPOINT ["java", "-XX:AOTCache=throughput-optimizer.aot", "-jar", "throughput-optimizer.jar"]
