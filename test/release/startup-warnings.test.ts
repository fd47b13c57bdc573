import { afterEach, describe, expect, it } from "vitest";
import { type Plane, startPlane } from "../../runtime/plane.ts";

let plane: Plane | undefined;
afterEach(async () => {
  await plane?.stop();
  plane = undefined;
});

/** Returns the metrics, and the log of the start. */
async function start(flags: Record<string, string>): Promise<{ text: string; warnings: string[] }> {
  const warnings: string[] = [];
  plane = await startPlane({
    listen: false,
    flags: { controllers: "false", ...flags },
    log: (level, message) => void (level === "warn" && warnings.push(message)),
  });
  await plane.ready;
  return { text: await (await plane.fetch("/metrics")).text(), warnings };
}

const HELP = /^# HELP apiserver_storage_objects (.*)$/m;
const WARNING = "metric apiserver_storage_objects is deprecated from 1.34 and will be hidden";

/** The life of a metric that a release deprecates, as a server of each release shows it. */
describe("help text and warning of a metric that 1.34 deprecates", () => {
  it.each([
    ["1.33", undefined, "[STABLE] Number of stored objects", []],
    ["1.34", undefined, "[STABLE] (Deprecated from 1.34) Number of stored objects", [WARNING]],
    ["1.36", undefined, "[STABLE] (Deprecated from 1.34) Number of stored objects", [WARNING]],
    ["1.37", undefined, undefined, []],
    ["1.37", "1.36", "[STABLE] (Deprecated from 1.34) Number of stored objects", [WARNING]],
    ["1.38", "1.37", undefined, []],
  ])("are correct at %s with --show-hidden-metrics-for-version=%s", async (release, shown, help, expected) => {
    const { text, warnings } = await start({ release, ...(shown && { "show-hidden-metrics-for-version": shown }) });
    const told = HELP.exec(text)?.[1];
    if (help === undefined) expect(told).toBeUndefined();
    else expect(told).toMatch(new RegExp(`^${help.replace(/[[\]()]/g, "\\$&")}`));
    expect(text.includes("\n# TYPE apiserver_storage_objects gauge\n")).toBe(help !== undefined);
    expect(warnings.filter((warning) => warning.startsWith("metric "))).toEqual(expected);
  });

  it("are absent before the metric was introduced", async () => {
    expect((await start({ release: "1.21" })).text).not.toMatch(HELP);
  });
});

describe("feature gates in /metrics", () => {
  it("show whether they are enabled and their stage", async () => {
    const { text } = await start({ "feature-gates": "AllAlpha=true,WatchList=true,GitRepoVolumeDriver=true" });
    const lines = text.split("\n");
    expect(lines).toContain('kubernetes_feature_enabled{name="AllAlpha",stage="ALPHA"} 1');
    expect(lines).toContain('kubernetes_feature_enabled{name="AllBeta",stage="BETA"} 0');
    expect(lines).toContain('kubernetes_feature_enabled{name="CBORServingAndStorage",stage="ALPHA"} 1');
    expect(lines).toContain('kubernetes_feature_enabled{name="WatchList",stage="BETA"} 1');
    expect(lines).toContain('kubernetes_feature_enabled{name="ClusterTrustBundle",stage="BETA"} 0');
    expect(lines).toContain('kubernetes_feature_enabled{name="SidecarContainers",stage=""} 1');
    expect(lines).toContain('kubernetes_feature_enabled{name="GitRepoVolumeDriver",stage="DEPRECATED"} 1');
    expect(text).toContain("# HELP kubernetes_feature_enabled [BETA] ");
    expect(text).not.toContain('name="APIListChunking"');
  });
});

describe("deprecated and stable feature gates", () => {
  it("are warned about only if the flag sets them", async () => {
    const named = await start({ "feature-gates": "GitRepoVolumeDriver=true,SidecarContainers=true,AllBeta=true" });
    expect(named.warnings.filter((warning) => warning.startsWith("Setting"))).toEqual([
      "Setting deprecated feature gate GitRepoVolumeDriver=true. It will be removed in a future release.",
      "Setting GA feature gate SidecarContainers=true. It will be removed in a future release.",
    ]);
    await plane?.stop();
    expect((await start({})).warnings.filter((warning) => warning.startsWith("Setting"))).toEqual([]);
  });
});
