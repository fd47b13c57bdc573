import { describe, expect, it } from "vitest";
import { getObject, type JsonObject } from "../../runtime/lib/json-object.ts";
import { apply, check, entriesOf, owners, spec, steps, update, type World } from "./fixtures/steps.ts";

const ANNOTATION = "kubectl.kubernetes.io/last-applied-configuration";

const lastApplied = (content: JsonObject, apiVersion = "example.com/v1") => ({
  metadata: {
    name: "one",
    annotations: { [ANNOTATION]: `${JSON.stringify({ apiVersion, kind: "Thing", spec: content })}\n` },
  },
});

/** A write like kubectl's client-side apply: an update with the last-applied annotation. */
const clientSide = (content: JsonObject, remembered = content, apiVersion?: string) =>
  update("kubectl-client-side-apply", content, { with: lastApplied(remembered, apiVersion) });

const annotationOf = ({ live }: World) => getObject(getObject(live, "metadata"), "annotations")?.[ANNOTATION];

describe("switching from client-side to server-side apply", () => {
  it("takes over the fields in the last-applied annotation without a conflict", () => {
    steps(
      clientSide({ text: "1", number: 1 }),
      apply("kubectl", { text: "2", number: 1 }),
      spec({ text: "2", number: 1 }),
      check(({ live }) =>
        expect(entriesOf(live).map((entry) => entry.manager)).toEqual(["kubectl", "kubectl-client-side-apply"]),
      ),
      check(({ live }) => expect(entriesOf(live)[1]?.fieldsV1).not.toHaveProperty("f:spec.f:text")),
    );
  });

  it("conflicts for a field that another manager changed since", () => {
    steps(
      clientSide({ text: "1" }),
      update("somebody", { text: "9" }, { with: lastApplied({ text: "1" }) }),
      apply("kubectl", { text: "2" }, { conflicts: ["somebody*: .spec.text"] }),
    );
  });

  it("reports only conflicts with other managers", () => {
    steps(
      clientSide({ text: "1", number: 1 }),
      update("somebody", { text: "1", number: 5 }, { with: lastApplied({ text: "1", number: 1 }) }),
      apply("kubectl", { text: "2", number: 2 }, { conflicts: ["somebody*: .spec.number"] }),
    );
  });

  it.each<[string, Parameters<typeof clientSide>]>([
    ["in another version", [{ text: "1" }, { text: "1" }, "example.com/v0"]],
    ["about something else", [{ text: "1" }, { number: 1 }]],
    ["that does not fit the schema", [{ text: "1" }, { text: { a: "1" } }]],
  ])("does not use an annotation %s", (_name, args) => {
    steps(
      clientSide(...args),
      apply("kubectl", { text: "2" }, { conflicts: ["kubectl-client-side-apply*: .spec.text"] }),
    );
  });

  it("does not use an annotation that is not JSON", () => {
    steps(
      update(
        "kubectl-client-side-apply",
        { text: "1" },
        { with: { metadata: { name: "one", annotations: { [ANNOTATION]: "{" } } } },
      ),
      apply("kubectl", { text: "2" }, { conflicts: ["kubectl-client-side-apply*: .spec.text"] }),
    );
  });

  it("applies to the field manager kubectl only", () => {
    steps(
      clientSide({ text: "1" }),
      apply("helm", { text: "2" }, { conflicts: ["kubectl-client-side-apply*: .spec.text"] }),
    );
  });
});

describe("switching back to client-side apply", () => {
  it("finds an up-to-date last-applied annotation", () => {
    steps(
      clientSide({ text: "1" }),
      apply("kubectl", { text: "1", labels: { "a<b": "&" } }),
      check((world) =>
        expect(annotationOf(world)).toBe(
          '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"name":"one"},"spec":{"labels":{"a\\u003cb":"\\u0026"},"text":"1"}}\n',
        ),
      ),
    );
  });

  it("finds a last-applied annotation that does not contain itself", () => {
    steps(
      apply("kubectl", { text: "1" }, { with: { metadata: { annotations: { [ANNOTATION]: "{}" } } } }),
      check((world) =>
        expect(annotationOf(world)).toBe(
          '{"apiVersion":"example.com/v1","kind":"Thing","metadata":{"annotations":{},"name":"one"},"spec":{"text":"1"}}\n',
        ),
      ),
      apply("kubectl", { text: "2" }),
      check((world) => expect(annotationOf(world)).toBeUndefined()),
    );
  });

  it("finds no annotation if there was none or it would be too long", () => {
    steps(
      apply("kubectl", { text: "1" }),
      check((world) => expect(annotationOf(world)).toBeUndefined()),
    );
    steps(
      clientSide({ text: "1" }),
      apply("kubectl", { text: "1", list: ["x".repeat(256 * 1024)] }),
      check((world) => expect(annotationOf(world)).toBeUndefined()),
    );
  });

  it("finds the annotation unchanged if other managers applied", () => {
    steps(
      clientSide({ text: "1" }),
      apply("helm", { number: 1 }),
      check((world) =>
        expect(annotationOf(world)).toBe(
          `${JSON.stringify({ apiVersion: "example.com/v1", kind: "Thing", spec: { text: "1" } })}\n`,
        ),
      ),
      owners({
        helm: [".spec.number"],
        "kubectl-client-side-apply*": [
          ".metadata.annotations",
          `.metadata.annotations.${ANNOTATION}`,
          ".spec",
          ".spec.text",
        ],
      }),
    );
  });
});
