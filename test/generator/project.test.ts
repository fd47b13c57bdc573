import { describe, expect, it } from "vitest";
import { renderDiagnostic } from "../../generator/diagnostics.ts";
import { artifact, BOOK, definition, GROUP, generateFrom, openApiOf } from "./fixture.ts";

const config = (text: string): { "typeplane.config.ts": string } => ({
  "typeplane.config.ts": `import { defineConfig } from "typeplane/vocabulary";\nexport default defineConfig({ ${text} });`,
});
const CALENDAR = `releases: { "2.2": { kubernetes: "1.32" }, "2.3": { kubernetes: "1.33", date: "2026-03-01" }, "3.0": { kubernetes: "1.35" } }`;
const ACME = config(`name: "acme", title: "Acme Platform", domain: "acme.example", release: "2.3", ${CALENDAR}`);
const book = (lifecycle = ""): string =>
  definition(`export interface Book extends Namespaced { title: string }
export const book = kind<Book>({ plural: "books", ${lifecycle} });`);

/** Returns one line per diagnostic: location, message, expectation. */
function problems(files: { readonly [path: string]: string }): string[] {
  const { diagnostics } = generateFrom({ [BOOK]: book(), ...files });
  return diagnostics.sorted().map(renderDiagnostic);
}

describe("typeplane.config.ts", () => {
  it("names the project, its releases and its title", () => {
    const generation = generateFrom({
      ...ACME,
      [BOOK]: book(`introduced: "2.3"`),
      [GROUP]: `import { group } from "../vocabulary.ts";\nexport const library = group({ name: "library.<domain>", versions: ["v1"] });`,
    });
    expect(generation.diagnostics.sorted().map(renderDiagnostic)).toEqual([]);
    const catalogue = JSON.parse(artifact(generation, "generated/resources.json"));
    expect(catalogue).toMatchObject({
      domain: "k8s.io",
      release: "1.33",
      project: {
        name: "acme",
        title: "Acme Platform",
        domain: "acme.example",
        release: "2.3",
        releases: [
          { release: "2.2", kubernetes: "1.32" },
          { release: "2.3", kubernetes: "1.33", date: "2026-03-01" },
          { release: "3.0", kubernetes: "1.35" },
        ],
      },
    });
    expect(catalogue.groups.map(({ name }: { name: string }) => name)).toEqual(["library.acme.example"]);
    const document = openApiOf(generation, "v3/apis/library.acme.example/v1");
    expect(document.info).toEqual({ title: "Acme Platform", version: "2.3" });
  });

  it("is Kubernetes where there is none", () => {
    const catalogue = JSON.parse(artifact(generateFrom({ [BOOK]: book() }), "generated/resources.json"));
    expect(catalogue.project).toEqual({ name: "kubernetes", title: "Kubernetes", domain: "k8s.io", release: "1.33" });
  });

  it.each([
    ["a name that is no name", `name: "Acme Inc"`, ['name is "Acme Inc"', "lower-case letters"]],
    ["a setting that does not exist", `name: "acme", titel: "Acme"`, ["titel is not a setting", "did you mean title?"]],
    ["a calendar without a current release", `name: "acme", ${CALENDAR}`, ["release is not given", "2.2, 2.3, 3.0"]],
    [
      "a current release that the calendar lacks",
      `name: "acme", release: "2.4", ${CALENDAR}`,
      ['release is "2.4"', "one of 2.2, 2.3, 3.0"],
    ],
    [
      "a release of one's own without a calendar",
      `name: "acme", release: "2.4"`,
      ["not that of Kubernetes' definitions, 1.33", "`releases`"],
    ],
    [
      "Kubernetes releases that go backwards",
      `name: "acme", release: "2.2", releases: { "2.1": { kubernetes: "1.33" }, "2.2": { kubernetes: "1.32" } }`,
      ["kubernetes of release 2.2 is 1.32, older than 1.33 of release 2.1"],
    ],
    [
      "a release that names no Kubernetes release",
      `name: "acme", release: "2.1", releases: { "2.1": { kubernets: "1.33" } }`,
      ["kubernets is not a setting of release 2.1", "did you mean kubernetes?"],
    ],
    [
      "a policy without a reason",
      `name: "acme", stability: { policy: { betaNotice: 1 } }`,
      ["the reason of stability.policy is not given"],
    ],
    [
      "a policy for a group that does not exist",
      `name: "acme", stability: { groups: { "libary.example.com": { reason: "internal", stableNotice: 1 } } }`,
      ["libary.example.com is not a group of the project", "did you mean library.example.com?"],
    ],
    [
      "a value that a policy does not know",
      `name: "acme", stability: { policy: { reason: "internal", stableNotice: "always" } }`,
      ['stableNotice is "always"', 'a number of releases or "never"'],
    ],
  ])("refuses %s", (_what, text, parts) => {
    const found = problems(config(text)).join("\n");
    for (const part of parts) expect(found).toContain(part);
    expect(found).toMatch(/^typeplane\.config\.ts:2:\d+ error config-/);
  });

  it("refuses a file that exports something else", () => {
    expect(problems({ "typeplane.config.ts": "export const name = 'acme';" }).join()).toContain(
      "defineConfig({ name: … })",
    );
  });
});

describe("releases that kinds name", () => {
  it("are those of the project's calendar", () => {
    const [first, ...others] = problems({
      ...ACME,
      [BOOK]: book(`introduced: "1.33", deprecated: "2.3", removed: "3.0"`),
    });
    expect(first).toMatch(
      /^api-definitions\/library\/v1\/book\.ts:\d+:\d+ error release-unknown: 1\.33 is not a release of acme/,
    );
    expect(first).toContain("one of 2.2, 2.3, 3.0; list planned releases in typeplane.config.ts, too");
    expect(others.filter((other) => other.includes("release-unknown"))).toEqual([]);
  });

  it("are those of Kubernetes without a calendar", () => {
    expect(problems({ [BOOK]: book(`introduced: "2.3"`) }).join()).toContain("2.3 is not a release of Kubernetes");
    expect(problems({ [BOOK]: book(`introduced: "1.30"`) })).toEqual([]);
  });
});
