import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import protobuf from "protobufjs";
import { describe, expect, it } from "vitest";
import { root } from "./fixture.ts";

const folder = join(root, "generated/protobuf");
const facts = join(root, "../shared/facts/types");
const present = existsSync(facts);
if (!present) console.warn("no facts beside the repository: field numbers are not compared with Kubernetes'");

function loadAll(): protobuf.Root {
  const types = new protobuf.Root();
  types.resolvePath = (_origin, target) => join(folder, target.slice(target.lastIndexOf("/") + 1));
  types.loadSync(readdirSync(folder), { keepCase: true });
  types.resolveAll();
  return types;
}

interface Facts {
  protoPackage?: string;
  types: { [name: string]: { fields: { proto?: number; protoName?: string }[] } };
}

describe("protobuf definitions", () => {
  const types = loadAll();

  it("parse and refer only to messages that exist", () => {
    expect(types.lookupType("k8s.io.api.core.v1.PodSpec").fields.containers?.id).toBe(2);
    expect(types.lookupType("k8s.io.apimachinery.pkg.api.resource.Quantity").fields.string?.id).toBe(1);
  });

  it.skipIf(!present)("agree with Kubernetes in the number and name of every field", () => {
    const different: string[] = [];
    let compared = 0;
    for (const file of readdirSync(facts)) {
      const { protoPackage, types: known } = JSON.parse(readFileSync(join(facts, file), "utf8")) as Facts;
      if (protoPackage === undefined) continue;
      for (const [name, { fields }] of Object.entries(known)) {
        const message = lookup(types, `${protoPackage}.${name}`);
        if (message === undefined) continue;
        for (const { proto, protoName } of fields) {
          if (proto === undefined || protoName === undefined) continue;
          compared++;
          if (message.fields[protoName]?.id !== proto) different.push(`${protoPackage}.${name}.${protoName}`);
        }
      }
    }
    expect(compared).toBeGreaterThan(3500);
    expect(different).toEqual([]);
  });
});

function lookup(types: protobuf.Root, name: string): protobuf.Type | undefined {
  try {
    return types.lookupType(name);
  } catch {
    return undefined;
  }
}
