import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";
import { openEmbeddedStore } from "../../runtime/store/embedded/open-embedded-store.ts";
import { storedJsonText } from "../../runtime/store/value/stored-json.ts";
import { createClient } from "../fixtures/plane-client.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-walk-"));
const GROUP = "flowcontrol.apiserver.k8s.io";
const LEVELS = "prioritylevelconfigurations";

afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Step {
  readonly release: string;
  readonly versions: readonly string[];
  /** Preferred and stored alike: they advance one release after a newer version came (docs/versioning.md, "Rollback"). */
  readonly preferred: string;
  readonly deprecated: readonly string[];
}

/** An upgrade through all releases, of the group that went through most versions. */
const steps: readonly Step[] = [
  { release: "1.20", versions: ["v1beta1"], preferred: "v1beta1", deprecated: [] },
  { release: "1.22", versions: ["v1beta1"], preferred: "v1beta1", deprecated: [] },
  { release: "1.23", versions: ["v1beta2", "v1beta1"], preferred: "v1beta1", deprecated: ["v1beta1"] },
  { release: "1.24", versions: ["v1beta2", "v1beta1"], preferred: "v1beta2", deprecated: ["v1beta1"] },
  { release: "1.26", versions: ["v1beta3", "v1beta2"], preferred: "v1beta2", deprecated: ["v1beta2"] },
  { release: "1.27", versions: ["v1beta3", "v1beta2"], preferred: "v1beta3", deprecated: ["v1beta2"] },
  { release: "1.29", versions: ["v1", "v1beta3"], preferred: "v1beta3", deprecated: ["v1beta3"] },
  { release: "1.30", versions: ["v1", "v1beta3"], preferred: "v1", deprecated: ["v1beta3"] },
  { release: "1.32", versions: ["v1"], preferred: "v1", deprecated: [] },
  { release: "1.40", versions: ["v1"], preferred: "v1", deprecated: [] },
];

function start(release: string): Promise<Plane> {
  return startPlane({ directory, flags: { release, controllers: "false" } });
}

function sharesIn(version: string, body: { spec: { limited: Record<string, number> } }): number | undefined {
  const { limited } = body.spec;
  return version === "v1beta1" || version === "v1beta2"
    ? limited.assuredConcurrencyShares
    : limited.nominalConcurrencyShares;
}

async function storedVersionOf(name: string): Promise<string> {
  const store = await openEmbeddedStore(join(directory, "data"));
  const entry = await store.get(`/registry/${LEVELS}/${name}`);
  await store.close();
  const json = Buffer.from((entry && storedJsonText(entry.value)) ?? "").toString();
  return String(JSON.parse(json).apiVersion).replace(`${GROUP}/`, "");
}

describe("upgrading and rolling back a server on one data directory", () => {
  it.each([...steps, ...steps.toReversed().slice(1)])(
    "serves, prefers and stores the API versions of release $release",
    async ({ release, versions, preferred, deprecated }) => {
      const plane = await start(release);
      const call = createClient(plane);
      await plane.ready;
      const group = (await call("GET", `/apis/${GROUP}`)).body;
      expect(group.versions.map(({ version }: { version: string }) => version)).toEqual(versions);
      expect(group.preferredVersion.version).toBe(preferred);

      const [newest = ""] = versions;
      const name = `made-at-${release}`;
      const limited = { limitResponse: { type: "Reject" } };
      const [shares, version] =
        newest.startsWith("v1beta1") || newest === "v1beta2" ? ["assured", newest] : ["nominal", newest];
      const made = await call("POST", `/apis/${GROUP}/${version}/${LEVELS}`, {
        body: {
          apiVersion: `${GROUP}/${version}`,
          kind: "PriorityLevelConfiguration",
          metadata: { name },
          spec: { type: "Limited", limited: { ...limited, [`${shares}ConcurrencyShares`]: 42 } },
        },
      });
      expect([201, 409], made.text).toContain(made.status);

      for (const one of versions) {
        const list = await call("GET", `/apis/${GROUP}/${one}/${LEVELS}`);
        expect(list.headers.warning !== undefined, `${release} ${one}`).toBe(deprecated.includes(one));
        const mine = list.body.items.filter(({ metadata }: { metadata: { name: string } }) =>
          metadata.name.startsWith("made-at-"),
        );
        expect(mine.length).toBeGreaterThan(0);
        for (const item of mine) expect(sharesIn(one, item), `${release} ${one} ${item.metadata.name}`).toBe(42);
      }
      // A write without changes migrates an object that an older release stored.
      const first = `/apis/${GROUP}/${newest}/${LEVELS}/made-at-1.20`;
      const current = await call("GET", first);
      if (current.status === 200) expect((await call("PUT", first, { body: current.body })).status).toBe(200);
      await plane.stop();
      expect(await storedVersionOf(name)).toBe(preferred);
      if (current.status === 200) expect(await storedVersionOf("made-at-1.20")).toBe(preferred);
    },
    30_000,
  );
});
