import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { removals } from "./removals-table.ts";

const specification = new URL("../../../shared/spec/cluster-api-service.md", import.meta.url);
const BOTH_WEBHOOKS = "Mutating/ValidatingWebhookConfiguration";

/** `release group/version Kind` of everything that table 9.3 lists; "same kinds" are those of the row before. */
function listed(): string[] {
  const table = readFileSync(specification, "utf8").split("### 9.3 ")[1] ?? "";
  const found: string[] = [];
  let kinds: string[] = [];
  for (const [, release = "", removed = ""] of table.matchAll(/^\| v(\d\.\d+) \| ([^|]+) \|/gm)) {
    const versions = [...removed.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace("<domain>", "k8s.io"));
    const words = removed.slice(removed.lastIndexOf("`") + 1).replace(/, and its .*/, "");
    if (!words.includes("same kinds")) {
      const names = words.includes(BOTH_WEBHOOKS)
        ? ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"]
        : words.split(/,\s*/).map((word) => word.trim());
      if (release === "1.32") kinds = names;
      found.push(...versions.flatMap((version) => names.map((kind) => `${release} ${version} ${kind}`)));
      continue;
    }
    found.push(...versions.flatMap((version) => kinds.map((kind) => `${release} ${version} ${kind}`)));
  }
  return [...new Set(found)].sort();
}

describe.skipIf(!existsSync(specification))("the table of removed APIs (skipped without ../shared)", () => {
  it("has the same kinds and versions as the tested removals", () => {
    const rows = removals.map(({ removed, old, kind }) => `${removed} ${old.split("/").slice(2, 4).join("/")} ${kind}`);
    expect([...new Set(rows)].sort()).toEqual(listed());
  });
});
