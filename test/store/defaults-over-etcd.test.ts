import { describe, expect, it, onTestFinished } from "vitest";
import { registry } from "../../generated/registry.ts";
import { encodeEnvelope } from "../../runtime/encoding/protobuf/envelope.ts";
import { createSchemas } from "../../runtime/schema/schemas.ts";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import type { Parsed } from "../fixtures/plane-client.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";
import { runCommand } from "../manifests/run-command.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const hasEtcd = findTool("etcd") !== undefined;
if (!hasEtcd) console.log(skipMessage("etcd"));
const hasKubeApiserver = hasEtcd && KubeApiserverProcess.isRealServer();
if (hasEtcd && !hasKubeApiserver) console.log(skipMessage("kube-apiserver"));

const DEPLOYMENTS = "/apis/apps/v1/namespaces/default/deployments";
const KEYS = "/registry/deployments/default/";

/** A Deployment that was stored without any defaults, declared or computed. */
function oldDeployment(name: string): Parsed {
  return {
    kind: "Deployment",
    apiVersion: "apps/v1",
    metadata: {
      name,
      namespace: "default",
      uid: `0-${name}`,
      generation: 1,
      creationTimestamp: "2018-01-01T00:00:00Z",
    },
    spec: {
      selector: { matchLabels: { a: "b" } },
      template: { metadata: { labels: { a: "b" } }, spec: { containers: [{ name: "c", image: "i:1" }] } },
    },
    status: {},
  };
}

/** Some of the defaults that must be shown. */
const COMPLETE = {
  replicas: 1,
  revisionHistoryLimit: 10,
  progressDeadlineSeconds: 600,
  strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: "25%", maxUnavailable: "25%" } },
  template: {
    spec: { restartPolicy: "Always", containers: [{ name: "c", image: "i:1", imagePullPolicy: "IfNotPresent" }] },
  },
};

/** An etcd with old Deployments: one in protobuf, one in JSON. */
async function etcdWithOldDeployments(): Promise<string> {
  const etcd = await EtcdProcess.start();
  onTestFinished(() => etcd.stop());
  const schema = createSchemas(registry.createTypeSource()).of<Parsed>("apps/v1.Deployment");
  const raw = schema.encodeProtobuf(oldDeployment("in-protobuf"));
  const store = await EtcdStore.connect(etcd.connectOptions);
  await store.put(`${KEYS}in-protobuf`, encodeEnvelope({ apiVersion: "apps/v1", kind: "Deployment", raw }), {
    expected: 0,
  });
  await store.put(`${KEYS}in-json`, Buffer.from(JSON.stringify(oldDeployment("in-json"))), { expected: 0 });
  await store.close();
  return etcd.endpoint;
}

const serve = (etcd: string) => servePlaneInTest({ flags: { "etcd-servers": etcd } });

const isOld = ({ metadata }: Parsed): boolean => metadata.name.startsWith("in-");

describe.runIf(hasEtcd)(
  "objects in etcd that were stored before their kind got a default",
  { timeout: 120_000 },
  () => {
    it("are read, listed and watched with it", async () => {
      const { call } = await serve(await etcdWithOldDeployments());
      for (const name of ["in-json", "in-protobuf"])
        expect((await call("GET", `${DEPLOYMENTS}/${name}`)).body.spec, name).toMatchObject(COMPLETE);
      const { items } = (await call("GET", DEPLOYMENTS)).body;
      expect(items.filter(isOld).map(({ spec }: Parsed) => spec)).toMatchObject([COMPLETE, COMPLETE]);
      const events = (await call("GET", `${DEPLOYMENTS}?watch=1&resourceVersion=0&timeoutSeconds=1`)).text
        .trim()
        .split("\n");
      const objects = events.map((line) => JSON.parse(line).object).filter(isOld);
      expect(objects.map(({ spec }: Parsed) => spec)).toMatchObject([COMPLETE, COMPLETE]);
    });

    it.each(["in-json", "in-protobuf"])(
      "are written with it by the first update, even if that changes nothing, and not again: %s",
      async (name) => {
        const { call } = await serve(await etcdWithOldDeployments());
        const { body } = await call("GET", `${DEPLOYMENTS}/${name}`);
        const first = (await call("PUT", `${DEPLOYMENTS}/${name}`, { body })).body;
        expect(first.spec).toMatchObject(COMPLETE);
        expect(first.metadata.resourceVersion).not.toBe(body.metadata.resourceVersion);
        expect((await call("PUT", `${DEPLOYMENTS}/${name}`, { body: first })).body).toEqual(first);
      },
    );

    it("are rewritten by migrate-storage, once", async () => {
      const etcd = await etcdWithOldDeployments();
      // Protobuf has no place for the kind of its claims, which is a default.
      const { spec, ...rest } = oldDeployment("claiming");
      const claim = { metadata: { name: "c" }, spec: { accessModes: ["ReadWriteOnce"] } };
      const set = { ...rest, kind: "StatefulSet", spec: { ...spec, serviceName: "s", volumeClaimTemplates: [claim] } };
      const store = await EtcdStore.connect({ endpoints: [etcd] });
      await store.put("/registry/statefulsets/default/claiming", Buffer.from(JSON.stringify(set)), { expected: 0 });
      await store.close();
      const first = runCommand(["migrate-storage", `--etcd-servers=${etcd}`]);
      expect([first.status, first.out, first.err]).toEqual([
        0,
        "deployments.apps: 2 of 2 rewritten\nstatefulsets.apps: 1 of 1 rewritten\n3 objects rewritten for release 1.33\n",
        "",
      ]);
      const second = runCommand(["migrate-storage", `--etcd-servers=${etcd}`]);
      expect([second.status, second.out]).toEqual([0, "0 objects rewritten for release 1.33\n"]);
    });

    it.runIf(hasKubeApiserver)("are shown and updated as kube-apiserver does", async () => {
      const etcd = await etcdWithOldDeployments();
      const mine = await serve(etcd);
      const theirs = await KubeApiserverProcess.start(etcd, []);
      onTestFinished(() => theirs.stop());
      for (const name of ["in-json", "in-protobuf"]) {
        const path = `${DEPLOYMENTS}/${name}`;
        const shown = (await theirs.call("GET", path)).body;
        expect((await mine.call("GET", path)).body).toEqual(shown);
        const [server, other] = name === "in-json" ? [mine, theirs] : [theirs, mine];
        const updated = (await server.call("PUT", path, { body: shown })).body;
        expect(updated.metadata.resourceVersion, `${name} is written`).not.toBe(shown.metadata.resourceVersion);
        expect((await other.call("GET", path)).body).toEqual(updated);
      }
    });
  },
);
