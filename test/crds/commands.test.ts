import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { Command, CommandContext } from "../../cli/command.ts";
import { crds } from "../../cli/crds.ts";
import { importCommand } from "../../cli/import.ts";
import { releaseSnapshot } from "../../generator/evolution/api-diff.ts";

const CONFIG = `import { defineConfig } from "typeplane/vocabulary";
export default defineConfig({ name: "harbour" });
`;
const GROUP = `import { group } from "typeplane/vocabulary";
export const harbour = group({ name: "harbour.example.com", versions: ["v1"] });
`;
const SHIP = `import type { Condition } from "typeplane/meta/v1";
import type { Namespaced } from "typeplane/meta/v1";
import type { PodTemplateSpec } from "typeplane/kubernetes/core/v1";
import { kind, type ListMap, type MaxItems, type MaxLength, type PatchMerge, type Rule } from "typeplane/vocabulary";

/** A ship in the harbour. */
export interface Ship extends Namespaced {
  /** Desired state of the ship. */
  spec: ShipSpec;
  /** Observed state of the ship. */
  status?: ShipStatus;
}

/** What the ship is like. */
export interface ShipSpec {
  /** Names of the ports that it calls at. */
  ports?: string[] LIMITS & Rule<"self.all(a, self.all(b, a == b || !a.startsWith(b)))", "names must not begin alike">;
  /** Decks of it, by name. */
  decks?: Deck[] & PatchMerge<"name">;
  /** Pods that are its crew. */
  crew?: PodTemplateSpec;
}

/** A deck of a ship. */
export interface Deck {
  /** Name of the deck. */
  name: string;
  /** Decks that are below it. */
  below?: Deck[];
}

/** What was observed of the ship. */
export interface ShipStatus {
  /** Conditions of the ship. */
  conditions?: ListMap<Condition, "type">;
}

export const ship = kind<Ship>({
  plural: "ships",
  subresources: { status: true },
  columns: [
    { name: "Name", type: "string", format: "name", path: ".metadata.name", description: "Name of the ship." },
    { name: "Load", type: "string", description: "Load of the ship." },
  ],
});
`;
const HOOKS = `import { kindHooks } from "typeplane/hooks";
import type { Ship } from "./ship.ts";
export const hooks = kindHooks<Ship>({ cells: () => ({ Load: "none" }) });
`;

describe("in a project of its own", () => {
  const project = mkdtempSync(join(tmpdir(), "typeplane-harbour-"));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  };
  const run = async (command: Command, ...args: string[]) => {
    const printed = { out: "", err: "" };
    const context: CommandContext = {
      project,
      registry: () => Promise.reject(new Error("not needed")),
      streams: {
        stdin: () => "",
        out: (text) => void (printed.out += text),
        err: (text) => void (printed.err += text),
      },
    };
    return { status: await command.run(args, context), ...printed };
  };
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  write("typeplane.config.ts", CONFIG);
  write("api-definitions/harbour/group.ts", GROUP);
  write("api-definitions/harbour/v1/ship.hooks.ts", HOOKS);

  it("crds says where a rule is that needs limits to be affordable, and writes nothing", async () => {
    write("api-definitions/harbour/v1/ship.ts", SHIP.replace(" LIMITS", ""));
    const { status, err } = await run(crds, "--out", join(project, "crds"));
    expect(status).toBe(1);
    const line = SHIP.split("\n").findIndex((text) => text.includes("ports?:")) + 1;
    expect(err).toContain(
      `api-definitions/harbour/v1/ship.ts:${line}:3 error: ships.harbour.example.com: spec.validation`,
    );
    expect(err).toContain("maxItems, maxProperties, and maxLength");
    expect(readdirSync(project)).not.toContain("crds");
  });

  it("crds lists what a CustomResourceDefinition cannot express", async () => {
    const named = SHIP.replace("string[] LIMITS", "Port[] & MaxItems<10>").replace(
      "/** A deck of",
      "export type Port = string & MaxLength<20>;\n\n/** A deck of",
    );
    write("api-definitions/harbour/v1/ship.ts", named);
    const { status, out, err } = await run(crds, "--out", join(project, "crds"), "--webhook-service=harbour/hooks");
    expect(status, err).toBe(0);
    expect(out).toContain("1 definition in ");
    const notes = err
      .match(/^note: .*$/gm)
      ?.map((note) => note.replace(/^note: \S+ harbour.example.com\/v1 Ship(, )?/, ""));
    expect(notes).toEqual([
      "spec.decks[].below[]: Deck contains itself: unknown fields are kept, and nothing below is validated",
      "spec.decks: strategic merge patches are not supported: clients use server-side apply or JSON merge patch",
      ": hooks run in `typeplane webhook`, which the admission webhooks in webhooks.yaml call",
      ": the column Load is left out: a hook makes its cells",
    ]);
    const webhooks = readFileSync(join(project, "crds/webhooks.yaml"), "utf8");
    expect(webhooks.match(/^kind: \w+$/gm)).toEqual([
      "kind: MutatingWebhookConfiguration",
      "kind: ValidatingWebhookConfiguration",
      "kind: Service",
      "kind: Deployment",
    ]);
  });

  it("crds names the flag of a file that does not exist", async () => {
    await expect(run(crds, "--webhook-url=https://hooks.example.com", "--ca-bundle=/nowhere.crt")).rejects.toThrow(
      "--ca-bundle=/nowhere.crt: there is no such file",
    );
  });

  it("import writes definitions of which crds writes the same", async () => {
    const crd = readFileSync(join(project, "crds/ships.harbour.example.com.yaml"), "utf8");
    write("foreign.yaml", crd.replaceAll("harbour.example.com", "dock.example.com"));
    const { status, out, err } = await run(importCommand, "-f", join(project, "foreign.yaml"));
    expect(err).toBe("");
    expect(status).toBe(0);
    expect(out).toBe("wrote api-definitions/dock/group.ts\nwrote api-definitions/dock/v1/ship.ts\n");
    const again = await run(importCommand, "-f", join(project, "foreign.yaml"));
    expect(again.status).toBe(1);
    expect(again.err).toContain("api-definitions/dock/v1/ship.ts exists; --replace replaces it");
  });

  it("import compares definitions for another folder with no release of this project", async () => {
    await releaseSnapshot(project, false);
    const released = readFileSync(join(project, "foreign.yaml"), "utf8");
    // The released API has a list of ports.
    const changed = parse(released) as { spec: { versions: { schema: { openAPIV3Schema: SpecSchema } }[] } };
    for (const { schema } of changed.spec.versions) delete schema.openAPIV3Schema.properties.spec.properties.ports;
    write("changed.yaml", stringify(changed));
    const elsewhere = await run(
      importCommand,
      "-f",
      join(project, "changed.yaml"),
      "--out",
      join(project, "elsewhere"),
    );
    expect(elsewhere.err).toBe("");
    expect(elsewhere.status).toBe(0);
    expect(elsewhere.out).toContain("wrote elsewhere/dock/v1/ship.ts\n");
    const here = await run(importCommand, "-f", join(project, "changed.yaml"), "--replace");
    expect(here.status).toBe(1);
    expect(here.err).toContain("ports");
  });
});

interface SpecSchema {
  readonly properties: { readonly spec: { readonly properties: Record<string, unknown> } };
}
