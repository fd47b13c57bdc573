import { describe, expect, it, onTestFinished } from "vitest";
import { EtcdStore } from "../../runtime/store/etcd/etcd-store.ts";
import type { Parsed, PlaneClient } from "../fixtures/plane-client.ts";
import { servePlaneInTest } from "../fixtures/serve-plane.ts";
import { EtcdProcess } from "../tools/etcd-process.ts";
import { KubeApiserverProcess } from "../tools/kube-apiserver-process.ts";
import { findTool, skipMessage } from "../tools/tools.ts";
import { temporaryDirectory } from "./temporary-directory.ts";

const hasEtcd = findTool("etcd") !== undefined;
if (!hasEtcd) console.log(skipMessage("etcd"));
const hasKubeApiserver = hasEtcd && KubeApiserverProcess.isRealServer();
if (hasEtcd && !hasKubeApiserver) console.log(skipMessage("kube-apiserver"));

interface Old {
  readonly key: string;
  readonly path: string;
  readonly object: Parsed;
}

const core = (resource: string) => `/api/v1/namespaces/default/${resource}`;
const KINDS: Readonly<Record<string, { apiVersion: string; key: string; path: string }>> = {
  Service: { apiVersion: "v1", key: "services/specs/default", path: core("services") },
  PersistentVolumeClaim: {
    apiVersion: "v1",
    key: "persistentvolumeclaims/default",
    path: core("persistentvolumeclaims"),
  },
  Pod: { apiVersion: "v1", key: "pods/default", path: core("pods") },
  Job: { apiVersion: "batch/v1", key: "jobs/default", path: "/apis/batch/v1/namespaces/default/jobs" },
  StatefulSet: {
    apiVersion: "apps/v1",
    key: "statefulsets/default",
    path: "/apis/apps/v1/namespaces/default/statefulsets",
  },
  CSIDriver: { apiVersion: "storage.k8s.io/v1", key: "csidrivers", path: "/apis/storage.k8s.io/v1/csidrivers" },
};

/** An object as an older server stored it. */
function old(kind: string, name: string, spec: Parsed, annotations?: Parsed): Old {
  const { apiVersion, key, path } = KINDS[kind] as (typeof KINDS)[string];
  const metadata = {
    name,
    ...(key.endsWith("/default") && { namespace: "default" }),
    uid: `0-${name}`,
    creationTimestamp: "2018-01-01T00:00:00Z",
    ...(annotations && { annotations }),
  };
  return {
    key: `/registry/${key}/${name}`,
    path: `${path}/${name}`,
    object: { kind, apiVersion, metadata, spec },
  };
}

const FORMER = {
  "pod.beta.kubernetes.io/init-containers": "[]",
  "pod.alpha.kubernetes.io/init-container-statuses": "x",
};
const pod = { containers: [{ name: "c", image: "i:1" }] };
const template = (more: Parsed = {}) => ({ metadata: { labels: { a: "b" }, ...more }, spec: pod });
const claim = { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } };
const source = { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" };
const ports = [{ port: 80 }];
const SERVICES = {
  addressed: { clusterIP: "10.96.0.77", ports },
  published: { clusterIP: "fd00::1", ports, type: "NodePort" },
  headless: { clusterIP: "None", ports, selector: { a: "b" } },
  "without-selector": { clusterIP: "None", ports },
  unassigned: { ports },
  elsewhere: { type: "ExternalName", externalName: "example.com", internalTrafficPolicy: "Cluster" },
};

const OLD: readonly Old[] = [
  ...Object.entries(SERVICES).map(([name, spec]) => old("Service", name, spec)),
  old("PersistentVolumeClaim", "sourced", { ...claim, dataSource: source }),
  old("PersistentVolumeClaim", "referring", { ...claim, dataSourceRef: source }),
  old("PersistentVolumeClaim", "foreign", { ...claim, dataSourceRef: { ...source, namespace: "other" } }),
  old("Pod", "annotated", pod, { ...FORMER, kept: "yes" }),
  old("Pod", "imaging", { ...pod, volumes: [{ name: "v", image: { reference: "i:1" } }] }, FORMER),
  old("Job", "working", { selector: {}, template: template({ annotations: FORMER }) }),
  old("StatefulSet", "setting", {
    serviceName: "s",
    selector: { matchLabels: { a: "b" } },
    template: template({ annotations: { ...FORMER, kept: "yes" } }),
  }),
  old("CSIDriver", "driving", {}),
];

const CONDITION = {
  type: "Seen",
  status: "True",
  lastTransitionTime: "2018-01-01T00:00:00Z",
  reason: "R",
  message: "",
};

const OFF = "SELinuxMountReadWriteOncePod=false,JobPodReplacementPolicy=false";
const ON = "ImageVolume=true,MaxUnavailableStatefulSet=true";

async function etcdWithOldObjects(): Promise<string> {
  const etcd = await EtcdProcess.start();
  onTestFinished(() => etcd.stop());
  const store = await EtcdStore.connect(etcd.connectOptions);
  for (const { key, object } of OLD) await store.put(key, Buffer.from(JSON.stringify(object)), { expected: 0 });
  await store.close();
  return etcd.endpoint;
}

const serve = (etcd: string, gates: string) =>
  servePlaneInTest({
    flags: {
      "etcd-servers": etcd,
      "service-cluster-ip-range": "10.96.0.0/16",
      ...(gates !== "" && { "feature-gates": gates }),
    },
  });

async function shown(call: PlaneClient): Promise<Record<string, Parsed>> {
  const all: Record<string, Parsed> = {};
  for (const { path, object } of OLD) all[object.metadata.name] = (await call("GET", path)).body;
  return all;
}

/** Removes what differs between two identical writes. */
function withoutVersion({ metadata, ...rest }: Parsed): Parsed {
  const { resourceVersion: _version, managedFields: _owners, ...others } = metadata;
  return { metadata: others, ...rest };
}

async function shownStatuses(call: PlaneClient): Promise<Record<string, Parsed>> {
  const all: Record<string, Parsed> = {};
  for (const { path, object } of OLD.filter(({ object }) => object.kind !== "CSIDriver"))
    all[object.metadata.name] = (await call("GET", `${path}/status`)).body;
  return all;
}

describe.runIf(hasEtcd)("objects of older servers", { timeout: 120_000 }, () => {
  it("have the addresses, families and sources that later fields name", async () => {
    const { call } = await serve(await etcdWithOldObjects(), "");
    const all = await shown(call);
    const spec = (name: string) => all[name].spec;
    const single = { ipFamilyPolicy: "SingleStack", internalTrafficPolicy: "Cluster" };
    expect(spec("addressed")).toMatchObject({ clusterIPs: ["10.96.0.77"], ipFamilies: ["IPv4"], ...single });
    expect(spec("published")).toMatchObject({ clusterIPs: ["fd00::1"], ipFamilies: ["IPv6"], ...single });
    expect(spec("headless")).toMatchObject({ clusterIPs: ["None"], ipFamilies: ["IPv4"], ...single });
    expect(spec("without-selector")).toMatchObject({
      ipFamilies: ["IPv4", "IPv6"],
      ipFamilyPolicy: "RequireDualStack",
    });
    for (const name of ["unassigned", "elsewhere"])
      for (const field of ["clusterIPs", "ipFamilies", "ipFamilyPolicy"])
        expect(spec(name), name).not.toHaveProperty(field);
    expect(spec("elsewhere")).not.toHaveProperty("internalTrafficPolicy");
    for (const name of ["sourced", "referring"])
      expect(spec(name), name).toMatchObject({ dataSource: source, dataSourceRef: source });
    expect(spec("foreign")).not.toHaveProperty("dataSource");
    const { items } = (await call("GET", core("services"))).body;
    const listed = items.filter(({ metadata }: Parsed) => metadata.name in SERVICES);
    expect(listed.map(({ spec }: Parsed) => spec)).toEqual(
      listed.map(({ metadata }: Parsed) => all[metadata.name].spec),
    );
  });

  it("are not completed where their status is read and written", async () => {
    const { call } = await serve(await etcdWithOldObjects(), "");
    const statuses = await shownStatuses(call);
    for (const name of Object.keys(SERVICES)) expect(statuses[name].spec, name).not.toHaveProperty("clusterIPs");
    expect(statuses.elsewhere.spec.internalTrafficPolicy).toBe("Cluster");
    expect(statuses.sourced.spec).not.toHaveProperty("dataSourceRef");
    const path = `${core("services")}/addressed`;
    const body = { ...statuses.addressed, status: { conditions: [CONDITION] } };
    const written = (await call("PUT", `${path}/status`, { body })).body;
    expect(written.spec).toEqual(statuses.addressed.spec);
    expect((await call("GET", `${path}/status`)).body).toEqual(written);
    expect((await call("GET", path)).body.spec.clusterIPs).toEqual(["10.96.0.77"]);
    expect((await call("GET", `${core("services")}/missing/status`)).status).toBe(404);
  });

  it("lose annotations that stood for the init containers of pods", async () => {
    const all = await shown((await serve(await etcdWithOldObjects(), "")).call);
    expect(all.annotated.metadata.annotations).toEqual({ kept: "yes" });
    expect(all.imaging.metadata).not.toHaveProperty("annotations");
    expect(all.working.spec.template.metadata).not.toHaveProperty("annotations");
    expect(all.setting.spec.template.metadata.annotations).toEqual({ kept: "yes" });
  });

  it.each([
    ["", { policy: "TerminatingOrFailed", mounts: false }],
    [OFF, {}],
    [ON, { policy: "TerminatingOrFailed", mounts: false, pulls: "IfNotPresent", unavailable: 1 }],
  ])("get the defaults of fields whose feature gate is on: %s", async (gates, expected) => {
    const { driving, imaging, setting, working } = await shown((await serve(await etcdWithOldObjects(), gates)).call);
    expect({
      policy: working.spec.podReplacementPolicy,
      mounts: driving.spec.seLinuxMount,
      pulls: imaging.spec.volumes[0].image.pullPolicy,
      unavailable: setting.spec.updateStrategy.rollingUpdate.maxUnavailable,
    }).toEqual({ policy: undefined, mounts: undefined, pulls: undefined, unavailable: undefined, ...expected });
  });

  it.runIf(hasKubeApiserver).each(["", OFF, ON])(
    "are shown and updated as kube-apiserver does with the gates %j",
    async (gates) => {
      const etcd = await etcdWithOldObjects();
      const mine = await serve(etcd, gates);
      const theirs = await KubeApiserverProcess.start(etcd, gates === "" ? [] : [`--feature-gates=${gates}`]);
      onTestFinished(() => theirs.stop());
      const expected = await shown(theirs.call);
      expect(await shown(mine.call)).toEqual(expected);
      expect(await shownStatuses(mine.call)).toEqual(await shownStatuses(theirs.call));
      for (const [index, { path, object }] of OLD.entries()) {
        if (object.kind !== "Service" && object.kind !== "PersistentVolumeClaim") continue;
        const { name } = object.metadata;
        const [server, other] = index % 2 === 0 ? [mine, theirs] : [theirs, mine];
        const options = { body: { status: { conditions: [CONDITION] } }, type: "application/merge-patch+json" };
        const again = await other.call("PATCH", `${path}/status?dryRun=All`, options);
        const { status, body } = await server.call("PATCH", `${path}/status`, options);
        expect([name, status]).toEqual([name, 200]);
        expect(withoutVersion(again.body), name).toEqual(withoutVersion(body));
        expect((await other.call("GET", `${path}/status`)).body, name).toEqual(body);
      }
      for (const [index, { path, object }] of OLD.entries()) {
        const { name } = object.metadata;
        const [server, other] = index % 2 === 0 ? [mine, theirs] : [theirs, mine];
        const { status, text, body } = await server.call("PUT", path, { body: expected[name] });
        const again = await other.call("PUT", `${path}?dryRun=All`, { body: expected[name] });
        if (status !== 200) expect([name, again.text]).toEqual([name, text]);
        else expect((await other.call("GET", path)).body, name).toEqual(body);
      }
    },
  );
});

it("an object that was stored while a gate was off gets the default of its field when the gate is on", async () => {
  const directory = temporaryDirectory();
  const drivers = "/apis/storage.k8s.io/v1/csidrivers";
  const body = { kind: "CSIDriver", apiVersion: "storage.k8s.io/v1", metadata: { name: "d" }, spec: {} };
  const flags = { "feature-gates": OFF };
  const before = await servePlaneInTest({ directory, flags });
  const made = (await before.call("POST", drivers, { body })).body;
  expect(made.spec).not.toHaveProperty("seLinuxMount");
  const given = { ...made, spec: { ...made.spec, seLinuxMount: true } };
  expect((await before.call("PUT", `${drivers}/d`, { body: given })).body.spec).toEqual(made.spec);
  await before.stop();
  const now = await servePlaneInTest({ directory });
  expect((await now.call("GET", `${drivers}/d`)).body.spec.seLinuxMount).toBe(false);
  await now.stop();
  const { call } = await servePlaneInTest({ directory, flags });
  expect((await call("GET", `${drivers}/d`)).body.spec).not.toHaveProperty("seLinuxMount");
});
