import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { registry } from "../../generated/registry.ts";
import { convertCommand } from "../../runtime/cli/convert.ts";
import { removalsCommand } from "../../runtime/cli/removals.ts";

interface Outcome {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

async function run(command: typeof convertCommand, args: readonly string[], input: string): Promise<Outcome> {
  let [out, err] = ["", ""];
  const streams = {
    stdin: () => input,
    out: (text: string) => void (out += text),
    err: (text: string) => void (err += text),
  };
  return { status: await command(args, streams, registry), out, err };
}

const convert = (input: string, version: string, ...more: string[]): Promise<Outcome> =>
  run(convertCommand, ["-f", "-", "--output-version", version, ...more], input);

const INGRESS = `apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata:
  name: web # the name
spec:
  # the default
  backend:
    serviceName: web # whom to ask
    servicePort: 80 # and where
  tls:
  - hosts: [a] # one name
`;
const CONVERTED = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web # the name
spec:
  # the default
  defaultBackend:
    # whom to ask
    # and where
    service:
      name: web
      port:
        number: 80
  tls:
  - hosts: [a] # one name
`;
const BUDGET = `# a budget
apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata: {name: b}
spec: {minAvailable: 1}
`;

const directory = mkdtempSync(join(tmpdir(), "typeplane-texts-"));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("convert, with hand-written manifests,", () => {
  it("moves comments with what is renamed or moved, and adds no status", async () => {
    expect(await convert(INGRESS, "networking.k8s.io/v1")).toEqual({ status: 0, out: CONVERTED, err: "" });
    expect((await convert(BUDGET, "policy/v1")).out).toBe(BUDGET.replace("v1beta1", "v1"));
  });

  it("keeps line ends as they are, and drops byte order marks, directives and ends of documents", async () => {
    const windows = (text: string): string => text.replaceAll("\n", "\r\n");
    const given = windows(`\uFEFF${INGRESS}---\n${BUDGET}...\n---\n%YAML 1.1\n---\n${INGRESS}`.replace("---\n%", "%"));
    const { out, err } = await convert(given, "networking.k8s.io/v1");
    expect(err).toBe(
      "<stdin>:14: policy/v1beta1 PodDisruptionBudget does not exist in networking.k8s.io/v1; not converted\n",
    );
    expect(out).toBe(windows(`${CONVERTED}---\n${BUDGET}---\n${CONVERTED}`));
  });

  it("skips empty documents, and keeps documents that it does not convert byte for byte", async () => {
    const odd = `apiVersion: v1\nkind:   ConfigMap\nmetadata: { name:   x }\ndata:\n    folded: >-\n      a\n      b\n`;
    const given = `---\n---\n# only a comment\n---\n${odd}---\n${INGRESS}---\n`;
    expect((await convert(given, "networking.k8s.io/v1")).out).toBe(`${odd}---\n${CONVERTED}`);
  });

  it("expands anchors and merge keys where something changes", async () => {
    const shared = `apiVersion: networking.k8s.io/v1beta1
kind: Ingress
metadata: {name: a}
spec:
  backend: &web {serviceName: web, servicePort: http}
  rules:
  - http:
      paths:
      - path: /
        backend: *web
`;
    const { status, out } = await convert(shared, "networking.k8s.io/v1");
    const backend = { service: { name: "web", port: { name: "http" } } };
    expect(status).toBe(0);
    expect(parse(out).spec).toEqual({
      defaultBackend: backend,
      rules: [{ http: { paths: [{ path: "/", backend, pathType: "ImplementationSpecific" }] } }],
    });
    expect(out).not.toMatch(/[&*]web/);
    const merged = `apiVersion: policy/v1beta1
kind: PodDisruptionBudget
metadata:
  name: m
  labels: &labels {app: a, tier: b}
spec:
  minAvailable: 1
  selector: {matchLabels: {<<: *labels, tier: c}}
`;
    expect(parse((await convert(merged, "policy/v1")).out).spec.selector).toEqual({
      matchLabels: { app: "a", tier: "c" },
    });
  });

  it("keeps anchors where only the version changes", async () => {
    const given = `apiVersion: v1
kind: ConfigMap
metadata: {name: &n x}
data: {name: *n}
`;
    expect((await convert(given, "policy/v1")).out).toBe(given);
  });

  it("reads scalars as servers do: octal numbers, yes and no, large integers", async () => {
    const job = `apiVersion: batch/v1beta1
kind: CronJob
metadata: {name: c}
spec:
  suspend: yes
  schedule: "0 0 * * *"
  jobTemplate:
    spec:
      activeDeadlineSeconds: 9007199254740993
      template:
        spec:
          containers: [{name: a, image: b}]
          volumes: [{name: v, configMap: {name: m, defaultMode: 0644}}]
`;
    const { status, out } = await convert(job, "batch/v1", "-o", "json");
    expect(status).toBe(0);
    expect(out).toContain('"suspend": true');
    expect(out).toContain('"defaultMode": 420');
    expect(out).toContain('"activeDeadlineSeconds": 9007199254740993');
    const text = (await convert(job, "batch/v1")).out;
    expect(text).toContain("suspend: yes\n");
    expect(text).toContain("defaultMode: 0644");
  });

  it("prints JSON for JSON input", async () => {
    const one = (name: string): string =>
      `{"apiVersion":"policy/v1beta1","kind":"PodDisruptionBudget","metadata":{"name":"${name}"},"spec":{"minAvailable":"{50%}"}}`;
    const { status, out } = await convert(`${one("a")}\n ${one("b")}${one("c")}`, "policy/v1");
    expect(status).toBe(0);
    expect(out.split("---\n").map((text) => JSON.parse(text))).toEqual(
      ["a", "b", "c"].map((name) => ({ ...JSON.parse(one(name)), apiVersion: "policy/v1" })),
    );
    const broken = await convert(`${one("a")}\n{"apiVersion":`, "policy/v1");
    expect(broken).toMatchObject({ status: 1, out: "", err: expect.stringMatching(/^<stdin>:2: /) });
  });

  it("reports fields that it has to drop, and fails", async () => {
    const given = BUDGET.replace("spec: {", "replicas: 2\nspec: {pages: 7, ");
    expect(await convert(given, "policy/v1")).toEqual({
      status: 1,
      out: BUDGET.replace("v1beta1", "v1"),
      err: '<stdin>:2: unknown field "replicas"; dropped\n<stdin>:2: unknown field "spec.pages"; dropped\n',
    });
  });

  it("reports input that is not text, YAML or an object by file and line, and converts the rest", async () => {
    const file = (name: string, bytes: Buffer | string): void => writeFileSync(join(directory, name), bytes);
    file("a-utf16.yaml", Buffer.from(BUDGET, "utf16le"));
    file("b-tabs.yaml", `apiVersion: v1\nkind: Pod\nmetadata:\n\tname: x\n---\n${BUDGET}`);
    file("c-template.yaml", "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Name }}\n");
    file("d-twice.yaml", "apiVersion: v1\nkind: Pod\nkind: Pod\n");
    file("e-empty.yaml", "");
    file("f.txt", "not looked at");
    const { status, out, err } = await run(convertCommand, ["-f", directory, "--output-version", "policy/v1"], "");
    expect(status).toBe(1);
    expect(out).toBe(BUDGET.replace("v1beta1", "v1"));
    expect(err.replaceAll(`${directory}/`, "").split("\n")).toEqual([
      "a-utf16.yaml:1: the file is not UTF-8 text",
      "b-tabs.yaml:4: Tabs are not allowed as indentation",
      expect.stringMatching(/^c-template\.yaml:1: yaml: invalid map key/),
      "d-twice.yaml:3: Map keys must be unique",
      "",
    ]);
  });

  it("converts files of many thousand documents, and lists their removals by line", async () => {
    const many = Array.from({ length: 3000 }, (_, index) => BUDGET.replace("name: b", `name: b${index}`)).join("---\n");
    const { status, out } = await convert(many, "policy/v1");
    expect(status).toBe(0);
    expect(out).toBe(many.replaceAll("v1beta1", "v1"));
    const removals = await run(removalsCommand, ["-f", "-", "--target-release", "1.25"], many);
    const lines = removals.out.split("\n");
    expect([removals.status, lines.length]).toEqual([1, 3001]);
    expect(lines[2999]).toBe(
      '<stdin>:17996: policy/v1beta1 PodDisruptionBudget "b2999" is removed in v1.25; use policy/v1 PodDisruptionBudget (typeplane convert can convert it)',
    );
  });
});
