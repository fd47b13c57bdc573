import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { servePlane } from "../fixtures/serve-plane.ts";
import { Kubectl } from "../tools/kubectl.ts";
import { findTool, skipMessage } from "../tools/tools.ts";

const binary = findTool("kubectl");
if (binary === undefined) console.warn(skipMessage("kubectl"));

describe.runIf(binary)("kubectl", () => {
  const { running } = servePlane();
  const home = mkdtempSync(join(tmpdir(), "typeplane-fairness-"));
  let kubectl: Kubectl;

  beforeAll(() => {
    const kubeconfig = join(home, "kubeconfig");
    writeFileSync(kubeconfig, running().kubeconfig);
    kubectl = new Kubectl({ binary: binary ?? "", kubeconfig, home });
  });
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  const rows = (table: string) => table.split("\n").map((line) => line.trim().split(/ {2,}/));
  const rowOf = (table: string, name: string) => rows(table).find(([first]) => first === name);

  it("shows FlowSchemas with their levels, and whether those are missing", async () => {
    const table = await kubectl.ok("get flowschemas");
    expect(rows(table)[0]).toEqual([
      ...["NAME", "PRIORITYLEVEL", "MATCHINGPRECEDENCE", "DISTINGUISHERMETHOD", "AGE", "MISSINGPL"],
    ]);
    const precedences = rows(table)
      .slice(1)
      .flatMap((row) => (row[2] === undefined ? [] : [Number(row[2])]));
    expect(precedences).toEqual([1, 2, 100, 150, 200, 400, 500, 800, 800, 900, 9000, 9900, 10000]);
    expect(rowOf(table, "service-accounts")?.filter((_, index) => index !== 4)).toEqual([
      ...["service-accounts", "workload-low", "9000", "ByUser", "False"],
    ]);
    expect(rowOf(table, "exempt")?.slice(0, 4)).toEqual(["exempt", "exempt", "1", "<none>"]);
  });

  it("shows priority levels with their shares and queues", async () => {
    const table = await kubectl.ok("get prioritylevelconfigurations");
    expect(rows(table)[0]).toEqual([
      ...["NAME", "TYPE", "NOMINALCONCURRENCYSHARES", "QUEUES", "HANDSIZE", "QUEUELENGTHLIMIT", "AGE"],
    ]);
    expect(rowOf(table, "workload-low")?.slice(0, 6)).toEqual(["workload-low", "Limited", "100", "128", "6", "50"]);
  });

  it("shows the debug pages to administrators only", async () => {
    const page = "/debug/api_priority_and_fairness/dump_priority_levels";
    expect(await kubectl.ok(`get --raw ${page}`)).toMatch(/^PriorityLevelName, ActiveQueues, /);
    expect(await kubectl.fails(`get --raw ${page} --as jane`)).toContain('cannot get path "');
  });
});
