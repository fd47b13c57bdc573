import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeChanges } from "../../generator/evolution/api-diff.ts";
import { compareApis } from "../../generator/evolution/compare-apis.ts";
import type { ApiSnapshot } from "../../generator/evolution/snapshot.ts";
import { book } from "./evolution-cases.ts";
import { BOOK, definition, GROUP, generateFrom, root } from "./fixture.ts";

type Files = { readonly [path: string]: string };

function snapshotOf(files: Files): ApiSnapshot {
  const { snapshot, diagnostics } = generateFrom(files);
  if (snapshot === undefined) throw new Error(JSON.stringify(diagnostics.sorted()));
  return snapshot;
}

const diff = (before: Files, after: Files): string =>
  describeChanges(compareApis(snapshotOf(before), snapshotOf(after)));
const spec = (fields: string, kind = 'plural: "books"'): Files => ({ [BOOK]: definition(book(fields, kind)) });
const kindOf = (more: string): Files => spec("title: string", `plural: "books"${more}`);

/** The only line of a change, with the rule that it breaks. */
function breaks(line: string, rule: string): string {
  return `breaks clients:\n  ${line}\n      breaks the rule: ${rule}\n`;
}
const changes = (...lines: readonly string[]): string => `changes:\n${lines.map((line) => `  ${line}\n`).join("")}`;

const SPEC = "library.example.com/v1 Spec";
const THE_KIND = "library.example.com/v1 Book";
const ACCEPTED = "what was accepted stays accepted";
const BEHAVIOUR = "a version keeps its behaviour";
const REMOVED = "elements are removed only with a new version of their group";
const OWNERS = "who owns which element of a list or map stays decided";

describe("api-diff says of a field that it", () => {
  it.each([
    ["title: string", "title: string; pages?: Int32", changes(`${SPEC}.pages is new: int32`)],
    ["title: string", "title: string; pages?: Int32 & Default<3>", changes(`${SPEC}.pages is new: int32, default 3`)],
    ["title: string", "title: string; pages: Int32", breaks(`${SPEC}.pages is new and required`, ACCEPTED)],
    ["title: string; pages?: Int32", "title: string", breaks(`${SPEC}.pages was removed`, REMOVED)],
    ["title: string", "title: Int32", breaks(`${SPEC}.title changed from string to int32`, BEHAVIOUR)],
    [
      "tags?: string[]",
      "tags?: Int32[]",
      breaks(`${SPEC}.tags changed from list of string to list of int32`, BEHAVIOUR),
    ],
    ["title?: string", "title: string", breaks(`${SPEC}.title became required`, ACCEPTED)],
    ["title: string", "title?: string", changes(`${SPEC}.title became optional`)],
    ["title: string", "title: string & MinLength<1>", breaks(`${SPEC}.title got the minLength 1`, ACCEPTED)],
    ["title: string & MinLength<1>", "title: string", changes(`${SPEC}.title lost the minLength 1`)],
    [
      "title: string & MaxLength<9>",
      "title: string & MaxLength<5>",
      breaks(`${SPEC}.title lowered its maxLength from 9 to 5`, ACCEPTED),
    ],
    [
      "title: string & MaxLength<5>",
      "title: string & MaxLength<9>",
      changes(`${SPEC}.title raised its maxLength from 5 to 9`),
    ],
    [
      "pages: Int32 & Minimum<0>",
      "pages: Int32 & Minimum<1>",
      breaks(`${SPEC}.pages raised its minimum from 0 to 1`, ACCEPTED),
    ],
    [
      'title: string & Pattern<"a">',
      'title: string & Pattern<"b">',
      breaks(`${SPEC}.title changed its pattern from a to b`, ACCEPTED),
    ],
    ['title: string & Pattern<"a">', "title: string", changes(`${SPEC}.title lost the pattern a`)],
    ["title: string", "title: string & Immutable", breaks(`${SPEC}.title became immutable`, ACCEPTED)],
    ["title: string & Immutable", "title: string", changes(`${SPEC}.title became mutable`)],
    ["pages?: Int32", "pages?: Int32 & Default<1>", breaks(`${SPEC}.pages got the default 1`, BEHAVIOUR)],
    ["pages?: Int32 & Default<1>", "pages?: Int32", breaks(`${SPEC}.pages lost the default 1`, BEHAVIOUR)],
    [
      "pages?: Int32 & Default<1>",
      "pages?: Int32 & Default<2>",
      breaks(`${SPEC}.pages changed its default from 1 to 2`, BEHAVIOUR),
    ],
    [
      'state: "A" | "B"',
      'state: "A"',
      breaks(`${SPEC}.state no longer allows the value B`, "values are removed only with a new version of their group"),
    ],
    ['state: "A"', 'state: "A" | "B"', changes(`${SPEC}.state now allows the value B`)],
    ['state: Open<"A" | "B">', 'state: "A" | "B"', breaks(`${SPEC}.state now accepts only A, B`, ACCEPTED)],
    ['state: "A" | "B"', 'state: Open<"A" | "B">', changes(`${SPEC}.state now accepts other values than A, B`)],
    [
      "tags?: ListSet<string>",
      "tags?: ListAtomic<string>",
      breaks(`${SPEC}.tags changed its listType from set to atomic`, OWNERS),
    ],
    [
      "pages: Int32",
      'pages: Int32 & Rule<"self > 0", "too few">',
      breaks(`${SPEC}.pages has the new rule self > 0`, ACCEPTED),
    ],
    [
      'pages: Int32 & Rule<"self > 0", "too few">',
      "pages: Int32",
      changes(`${SPEC}.pages no longer has the rule self > 0`),
    ],
    [
      'pages: Int32 & Rule<"self > 0", "too few">',
      'pages: Int32 & Rule<"self > 0", "not enough">',
      changes(`${SPEC}.pages changed its message from "too few" to "not enough" of the rule self > 0`),
    ],
  ])("%s → %s", (before, after, expected) => {
    expect(diff(spec(before), spec(after))).toBe(expected);
  });

  it("has another number in protobuf", () => {
    const numbers = (title: number): Files => ({
      ...spec("title: string"),
      "api-definitions/library/v1/field-numbers.json": JSON.stringify({ Spec: { fields: { title } } }),
    });
    const rule = "what is stored or sent in protobuf stays readable";
    expect(diff(numbers(1), numbers(7))).toBe(breaks(`${SPEC}.title changed its protobuf number from 1 to 7`, rule));
  });

  it("is deprecated, or no longer", () => {
    const [plain, old] = [spec("title: string"), spec("title: string & Deprecated")];
    expect(diff(plain, old)).toBe(changes(`${SPEC}.title became deprecated`));
    expect(diff(old, plain)).toBe(changes(`${SPEC}.title is no longer deprecated`));
  });

  it("depends on a gate, or no longer", () => {
    const gates = {
      "api-definitions/feature-gates.ts": `import { gates } from "./gate-vocabulary.ts";
export const featureGates = gates({ Shelves: { steps: ["alpha 1.33"] } });`,
    };
    const plain = { ...gates, ...spec("title?: string") };
    const gated = { ...gates, ...spec('title?: string & Gated<"Shelves">') };
    expect(diff(plain, gated)).toBe(changes(`${SPEC}.title got the gate Shelves`));
    expect(diff(gated, plain)).toBe(changes(`${SPEC}.title lost the gate Shelves`));
    const fresh = { ...gates, ...spec('pages?: Int32; title?: string & Gated<"Shelves">') };
    expect(diff({ ...gates, ...spec("pages?: Int32") }, fresh)).toBe(
      changes(`${SPEC}.title is new: string, behind the gate Shelves`),
    );
  });
});

describe("api-diff says of a kind that it", () => {
  it.each([
    [
      "",
      ', subresources: { status: true }, shortNames: ["bk"]',
      ["got the subresource status", "got the short name bk"],
    ],
    ["", ', categories: ["all"]', ["got the category all"]],
    ["", ', deprecated: "1.33"', ["became deprecated as of 1.33"]],
    [', deprecated: "1.33"', "", ["is no longer deprecated (was as of 1.33)"]],
    [', deprecated: "1.33"', ', deprecated: "1.34"', ["moved its deprecation from 1.33 to 1.34"]],
    ["", ', introduced: "1.33"', ["is now introduced in 1.33"]],
  ])("%s → %s", (before, after, lines) => {
    expect(diff(kindOf(before), kindOf(after))).toBe(changes(...lines.map((line) => `${THE_KIND} ${line}`)));
  });

  it.each([
    [", subresources: { status: true }", "", "lost the subresource status"],
    [', shortNames: ["bk"]', "", "lost the short name bk"],
    [', categories: ["all"]', "", "lost the category all"],
  ])("%s → %s breaks clients", (before, after, line) => {
    expect(diff(kindOf(before), kindOf(after))).toBe(breaks(`${THE_KIND} ${line}`, BEHAVIOUR));
  });

  it("was renamed, or lives elsewhere", () => {
    const moved = { [BOOK]: definition(book("title: string").replace("Namespaced", "ClusterScoped")) };
    expect(diff(kindOf(""), moved)).toContain(`${THE_KIND} became cluster-scoped\n`);
    expect(diff(kindOf(""), spec("title: string", 'plural: "tomes"'))).toContain(
      `${THE_KIND} was renamed from books to tomes\n`,
    );
  });

  it("is to be removed, and what replaces it", () => {
    const old = "api-definitions/library/v1beta1/book.ts";
    const beta = (life: string): Files => ({
      ...kindOf(""),
      [old]: definition(book("title: string", `plural: "books", introduced: "1.30"${life}`)),
    });
    const going = ', deprecated: "1.31", removed: "1.34", replacement: "library.example.com/v1 Book"';
    expect(diff(beta(""), beta(going))).toBe(
      changes(
        "library.example.com/v1beta1 Book became deprecated as of 1.31",
        "library.example.com/v1beta1 Book is to be removed in 1.34",
        "library.example.com/v1beta1 Book got the replacement library.example.com/v1 Book",
      ),
    );
    expect(diff(beta(going), beta(going.replace("1.34", "1.35")))).toBe(
      changes("library.example.com/v1beta1 Book moved its removal from 1.34 to 1.35"),
    );
  });

  it("came or went, with its whole version or without", () => {
    const shelf = definition(book("rows: Int32").replaceAll("Book", "Shelf").replaceAll("book", "shelf"))
      .replaceAll("Spec", "ShelfSpec")
      .replaceAll("ListType", "ListType");
    const both = { ...kindOf(""), "api-definitions/library/v1/shelf.ts": shelf };
    expect(diff(kindOf(""), both)).toBe(changes("library.example.com/v1 Shelf is new"));
    expect(diff(both, kindOf(""))).toBe(breaks("library.example.com/v1 Shelf was removed", REMOVED));
    const [group] = [
      `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1", "v2"] });`,
    ];
    const later = (text: string): string => text.replace('plural: "', 'introduced: "1.33", plural: "');
    const second = {
      ...both,
      [GROUP]: group,
      "api-definitions/library/v2/book.ts": later(kindOf("")[BOOK] ?? ""),
      "api-definitions/library/v2/shelf.ts": later(shelf),
    };
    expect(diff(both, second)).toContain("library.example.com/v2 is new, with Book and Shelf: introduced in 1.33\n");
    expect(diff(second, both)).toContain(breaks("library.example.com/v2 was removed, with Book and Shelf", REMOVED));
  });
});

describe("api-diff says of a gate that it", () => {
  const gates = (steps: string, dropped = ""): Files => ({
    ...kindOf(""),
    "api-definitions/feature-gates.ts": `import { gates } from "./gate-vocabulary.ts";
export const featureGates = gates({ Shelves: { steps: [${steps}]${dropped} } });`,
  });

  it.each([
    ['"alpha 1.32"', '"alpha 1.32", "beta 1.33"', "became beta in 1.33"],
    ['"alpha 1.32"', '"alpha 1.32", "beta 1.33 off"', "became beta in 1.33 (off)"],
    ['"beta 1.32"', '"beta 1.32", "stable 1.33 unlocked"', "became stable in 1.33 (unlocked)"],
    ['"alpha 1.32 on"', '"alpha 1.32"', "changed from alpha in 1.32 (on) to alpha in 1.32"],
    ['"alpha 1.32"', '"alpha 1.33"', "changed from alpha in 1.32 to alpha in 1.33"],
  ])("%s → %s", (before, after, line) => {
    expect(diff(gates(before), gates(after))).toBe(changes(`gate Shelves ${line}`));
  });

  it("is new, goes, or is refused some day", () => {
    expect(diff(kindOf(""), gates('"alpha 1.33"'))).toBe(changes("gate Shelves is new: alpha in 1.33"));
    expect(diff(gates('"alpha 1.33"'), kindOf(""))).toBe(
      breaks("gate Shelves was removed", "a gate is refused only after its notice"),
    );
    expect(diff(gates('"stable 1.30"'), gates('"stable 1.30"', ', dropped: "1.33"'))).toBe(
      changes("gate Shelves will be removed in 1.33"),
    );
  });
});

describe("api-diff says of everything else", () => {
  it("that metrics and the release changed, or that nothing did", () => {
    const metrics = (text: string): Files => ({
      ...kindOf(""),
      "api-definitions/metrics.ts": `import { metrics } from "./metric-vocabulary.ts";
export const serverMetrics = metrics({ ${text} });`,
    });
    const loans = 'loans: { stability: "ALPHA" }';
    expect(diff(kindOf(""), metrics(loans))).toBe(changes("metric loans is new: ALPHA"));
    expect(diff(metrics(loans), metrics('other: { stability: "ALPHA" }'))).toBe(
      changes("metric loans was removed", "metric other is new: ALPHA"),
    );
    expect(diff(metrics(loans), metrics('loans: { stability: "BETA" }'))).toBe(
      changes("metric loans changed from ALPHA to BETA"),
    );
    expect(diff(metrics(loans), metrics('loans: { stability: "ALPHA", deprecated: "1.33" }'))).toBe(
      changes("metric loans became deprecated as of 1.33"),
    );
    const release = (number: string): Files => ({
      ...kindOf(""),
      "api-definitions/release.ts": `import { platform } from "./vocabulary.ts";
export const release = platform({ release: "${number}", domain: "k8s.io", vendor: "kubernetes" });`,
    });
    expect(diff(release("1.33"), release("1.34"))).toBe(changes("the API moved from release 1.33 to 1.34"));
    expect(diff(kindOf(""), kindOf(""))).toBe("the API is the same\n");
  });

  it("that alpha versions may change, and what breaks clients first", () => {
    const group = {
      [GROUP]: `import { group } from "../vocabulary.ts";
export const library = group({ name: "library.example.com", versions: ["v1", "v1alpha1"] });`,
    };
    const draft = (fields: string): Files => ({
      ...group,
      "api-definitions/library/v1alpha1/draft.ts": definition(book(fields))
        .replaceAll("Book", "Draft")
        .replace('"books"', '"drafts"'),
    });
    expect(
      diff(
        { ...spec("a?: string; b?: string"), ...draft("x?: string") },
        { ...spec("a?: string; c?: string"), ...draft("y?: string") },
      ),
    ).toBe(`breaks clients:
  ${SPEC}.b was removed
      breaks the rule: ${REMOVED}
changes:
  ${SPEC}.c is new: string
  library.example.com/v1alpha1 Spec.x was removed
      breaks the rule: ${REMOVED}
  library.example.com/v1alpha1 Spec.y is new: string
`);
  });
});

describe("make api-diff", () => {
  const project = mkdtempSync(join(tmpdir(), "typeplane-diff-"));
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=us", "-c", "user.email=us@example.com", ...args], {
      cwd: project,
      stdio: "pipe",
    });
  const run = (...args: string[]): { status: number; out: string } => {
    const command = [
      "--disable-warning=ExperimentalWarning",
      join(root, "generator/main.ts"),
      ...args,
      "--root",
      project,
    ];
    try {
      return { status: 0, out: execFileSync(process.execPath, command, { encoding: "utf8", stdio: "pipe" }) };
    } catch (error) {
      const { status, stdout, stderr } = error as { status: number; stdout: string; stderr: string };
      return { status, out: stdout + stderr };
    }
  };
  const BOOKS = join(project, BOOK);
  const edit = (change: (text: string) => string) => writeFileSync(BOOKS, change(readFileSync(BOOKS, "utf8")));

  beforeAll(() => {
    for (const part of ["meta/group.ts", "meta/v1", "meta/v1beta1", "release.ts", "vocabulary.ts"])
      cpSync(join(root, "api-definitions", part), join(project, "api-definitions", part), { recursive: true });
    git("init", "-q");
    git("add", "-A");
    git("commit", "-qm", "Before anything was generated");
    run("scaffold", "library.example.com/v1", "Book");
    run();
    run("--release-snapshot");
    git("add", "-A");
    git("commit", "-qm", "Books");
  });
  afterAll(() => rmSync(project, { recursive: true, force: true }));

  it("compares with any revision, and says what is wrong with others", () => {
    expect(run("api-diff", "HEAD")).toEqual({ status: 0, out: "the API is the same\n" });
    expect(run("api-diff")).toEqual({
      status: 2,
      out: "name a git revision to compare with: make api-diff BASE=main\n",
    });
    expect(run("api-diff", "nowhere")).toEqual({
      status: 2,
      out: "nowhere is not a git revision of this repository\n",
    });
    expect(run("api-diff", "HEAD~1")).toEqual({ status: 2, out: "HEAD~1 has no generated API to compare with\n" });
  });

  it("tells of changes that the generator refuses, too", () => {
    edit((text) => text.replace("Default<10>", "Default<12>"));
    expect(run()).toMatchObject({ status: 1 });
    expect(run("api-diff", "HEAD")).toEqual({
      status: 0,
      out: breaks("library.example.com/v1 BookSpec.size changed its default from 10 to 12", BEHAVIOUR),
    });
    // There is no declaration of how the old version is converted to the stored one.
    run("scaffold", "library.example.com/v1beta1", "Book");
    const old = join(project, "api-definitions/library/v1beta1/book.ts");
    writeFileSync(old, readFileSync(old, "utf8").replace("  title:", "  name:").replaceAll("spec.title", "spec.name"));
    expect(run()).toMatchObject({ status: 1, out: expect.stringContaining("conversion-missing") });
    expect(run("api-diff", "HEAD").out).toContain(
      "library.example.com/v1beta1 is new, with Book: introduced in 1.33\n",
    );
    rmSync(join(project, "api-definitions/library/v1beta1"), { recursive: true });
    git("checkout", "-q", "--", "api-definitions/library/group.ts");
  });

  it("does not replace a recorded release unless REPLACE=1 is given", () => {
    const recorded = () => readFileSync(join(project, "api-definitions/released-api.json"), "utf8");
    const before = recorded();
    const refused = run("--release-snapshot");
    expect(refused).toMatchObject({ status: 1, out: expect.stringContaining("evolution-default-changed") });
    expect(refused.out).toContain("released-api.json was not changed; `make release-snapshot REPLACE=1` records it");
    expect(recorded()).toBe(before);
    const { status, out } = run("--release-snapshot", "--replace");
    expect(out).toContain("release 1.33, 1 kind, 1 change that breaks a rule is now recorded");
    expect(status).toBe(0);
    expect(run()).toMatchObject({ status: 0 });
  });

  it("shows what is wrong with definitions that declare no API", () => {
    edit((text) => text.replace("Int32", "Int23"));
    const { status, out } = run("api-diff", "HEAD");
    expect(status).toBe(1);
    expect(out).toMatch(/book\.ts:\d+:\d+ error unknown-type/);
  });
});
