import { describe, expect, it } from "vitest";
import { artifact, BOOK, definition, generateFrom, openApiOf } from "./fixture.ts";

const PLATFORM = `import { platform } from "./vocabulary.ts";
export const release = platform({ release: "2.1", domain: "cloud.example", vendor: "typeplane" });`;
const SHELF_GROUP = `import { group } from "../vocabulary.ts";
export const shelf = group({ name: "shelf.<domain>", versions: ["v1"] });`;
const SHELF = definition(`export interface Shelf extends ClusterScoped { sizes?: ListSet<string>; width: Quantity }
export const shelf = kind<Shelf>({ plural: "shelves" });`);

describe("domain and vendor", () => {
  const generation = generateFrom({
    "api-definitions/release.ts": PLATFORM,
    "api-definitions/shelf/group.ts": SHELF_GROUP,
    "api-definitions/shelf/v1/shelf.ts": SHELF,
    [BOOK]: definition("export interface Page { number: Int32 }"),
  });

  it("fill group names and catalogue", () => {
    const catalogue = JSON.parse(artifact(generation, "generated/resources.json"));
    expect(catalogue).toMatchObject({ domain: "cloud.example", vendor: "typeplane", release: "2.1" });
    expect(catalogue.groups).toEqual([{ name: "shelf.cloud.example", versions: ["v1"] }]);
  });

  it("name definitions, packages, extensions and media types; no other name is left anywhere", () => {
    const text = JSON.stringify(openApiOf(generation, "v3/apis/shelf.cloud.example/v1"));
    for (const part of [
      "example.cloud.api.shelf.v1.Shelf",
      "example.cloud.apimachinery.pkg.api.resource.Quantity",
      '"x-typeplane-list-type":"set"',
      "application/vnd.typeplane.protobuf",
    ]) {
      expect(text).toContain(part);
    }
    const everything = generation.artifacts.map((one) => one.text).join("\n");
    expect(text).not.toMatch(/k8s|kubernetes/i);
    expect(everything).not.toMatch(/k8s|kubernetes/i);
    expect(artifact(generation, "generated/protobuf/shelf.v1.proto")).toContain("package cloud.example.api.shelf.v1;");
  });
});
