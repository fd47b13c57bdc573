import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { runCommand } from "./run-command.ts";

const INGRESS = `# the front door
apiVersion: networking.k8s.io/v1beta1 # old
kind: Ingress
metadata:
  name: web
spec:
  # everything else
  backend:
    serviceName: web
    servicePort: 80
  tls:
    - hosts: [a.example.com] # one name
`;
const DEPLOYMENT = `apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: web
spec:
  template:
    metadata:
      labels:
        app: web
    spec:
      containers:
        - name: main
          image: registry.invalid/web:1
          volumeMounts: []
      volumes:
        - name: scratch
          emptyDir: {}
`;

const JOB = { spec: { template: { spec: { containers: [{ name: "main", image: "registry.invalid/job:1" }] } } } };

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "typeplane-convert-"));
  mkdirSync(join(directory, "below"));
  writeFileSync(join(directory, "ingress.yaml"), INGRESS);
  writeFileSync(join(directory, "below", "mixed.yaml"), `just text\n---\n${INGRESS}---\n`);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

describe("typeplane convert", () => {
  it("converts a file and keeps the comments beside what stays", () => {
    const { status, out } = runCommand([
      "convert",
      "-f",
      join(directory, "ingress.yaml"),
      "--output-version",
      "networking.k8s.io/v1",
    ]);
    expect(status).toBe(0);
    expect(parse(out)).toEqual({
      apiVersion: "networking.k8s.io/v1",
      kind: "Ingress",
      metadata: { name: "web" },
      spec: {
        defaultBackend: { service: { name: "web", port: { number: 80 } } },
        tls: [{ hosts: ["a.example.com"] }],
      },
    });
    expect(out).toContain("# the front door");
    expect(out).toContain("# one name");
  });

  it("sets defaults of the old version that differ in the new one, and no others", () => {
    const { out } = runCommand(["convert", "-f", "-", "--output-version", "apps/v1"], DEPLOYMENT);
    expect(parse(out)).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "web", labels: { app: "web" } },
      spec: {
        selector: { matchLabels: { app: "web" } },
        template: {
          metadata: { labels: { app: "web" } },
          spec: {
            containers: [{ name: "main", image: "registry.invalid/web:1" }],
            volumes: [{ name: "scratch", emptyDir: {} }],
          },
        },
        strategy: { rollingUpdate: { maxUnavailable: 1, maxSurge: 1 } },
        revisionHistoryLimit: 2_147_483_647,
        progressDeadlineSeconds: 2_147_483_647,
      },
    });
  });

  it("reports documents that are not objects by file and line, and converts the rest", () => {
    const { status, out, err } = runCommand(["convert", "-f", directory, "--output-version", "networking.k8s.io/v1"]);
    expect(status).toBe(1);
    expect(err).toBe(`${join(directory, "below", "mixed.yaml")}:1: it is not an object\n`);
    expect(parseAllDocuments(out)).toHaveLength(2);
  });

  it("converts items of lists, and prints JSON", () => {
    const list = { apiVersion: "v1", kind: "List", items: [parse(INGRESS)] };
    const args = ["convert", "-f", "-", "--output-version", "networking.k8s.io/v1", "-o", "json"];
    const { status, out } = runCommand(args, JSON.stringify(list));
    expect(status).toBe(0);
    expect(JSON.parse(out).items[0].spec.defaultBackend.service.name).toBe("web");
  });

  it("rejects unknown versions with a suggestion, and reports kinds that the version lacks by line", () => {
    const unknown = runCommand(["convert", "-f", "-", "--output-version", "app/v1"], DEPLOYMENT);
    expect([unknown.status, unknown.err]).toEqual([
      2,
      expect.stringMatching(/there is no version "app\/v1".*apps\/v1/),
    ]);
    const lacking = runCommand(["convert", "-f", "-", "--output-version", "batch/v1"], DEPLOYMENT);
    expect([lacking.status, lacking.err]).toEqual([
      1,
      "<stdin>:1: extensions/v1beta1 Deployment does not exist in batch/v1; not converted\n",
    ]);
    expect(runCommand(["convert"]).status).toBe(2);
    expect(runCommand(["convert", "-f", join(directory, "nowhere")]).status).toBe(2);
    expect(runCommand(["convert", "--help"]).out).toContain("--output-version");
  });

  it("leaves kinds that the version lacks, and kinds of your own, as they are", () => {
    const own = "# mine\napiVersion: example.com/v1\nkind: Widget\nspec: {size: 3}\n";
    const args = ["convert", "-f", "-", "--output-version", "networking.k8s.io/v1"];
    const { status, out, err } = runCommand(args, `${own}---\n${INGRESS}---\n${DEPLOYMENT}`);
    expect(status).toBe(0);
    expect(err).toBe(
      "<stdin>:2: example.com/v1 Widget is not a known kind; not converted\n" +
        "<stdin>:19: extensions/v1beta1 Deployment does not exist in networking.k8s.io/v1; not converted\n",
    );
    const [first, second, third] = out.split("---\n");
    expect([first, third]).toEqual([own, DEPLOYMENT]);
    expect(second).toContain("apiVersion: networking.k8s.io/v1 # old");
  });

  it("converts lists item by item; items that cannot be converted are reported by line and kept", () => {
    const list = `apiVersion: v1
kind: List
items:
# the door
- apiVersion: extensions/v1beta1 # old
  kind: Ingress
  metadata: {name: x}
  spec:
    # the backend
    rules: []
    backend: {serviceName: s, servicePort: 80}
- just text
- apiVersion: apps/v1
  kind: Deploymnt
- apiVersion: networking.k8s.io/v1beta1
  kind: IngressClass
  metadata: {name: c}
`;
    const args = ["convert", "-f", "-", "--output-version", "networking.k8s.io/v1"];
    const { status, out, err } = runCommand(args, list);
    expect(status).toBe(1);
    expect(err).toBe(
      '<stdin>:12: it is not an object\n<stdin>:13: apps/v1 has no kind Deploymnt (did you mean "Deployment"?)\n',
    );
    const { items } = parse(out);
    expect(items[0].spec.defaultBackend.service).toEqual({ name: "s", port: { number: 80 } });
    expect(items.map((item: { apiVersion?: string }) => item.apiVersion)).toEqual([
      "networking.k8s.io/v1",
      undefined,
      "apps/v1",
      "networking.k8s.io/v1",
    ]);
    expect(out).toContain("# the door\n- apiVersion: networking.k8s.io/v1 # old\n");
    expect(out).toContain("    # the backend\n");
  });

  it("converts the list of one kind, whose items have no kind", () => {
    const items = [{ metadata: { name: "nightly" }, spec: { schedule: "0 0 * * *", jobTemplate: JOB } }];
    const list = { apiVersion: "batch/v1beta1", kind: "CronJobList", items };
    const args = ["convert", "-f", "-", "--output-version", "batch/v1", "-o", "json"];
    const { status, out } = runCommand(args, JSON.stringify(list));
    expect(status).toBe(0);
    expect(JSON.parse(out)).toEqual({ ...list, apiVersion: "batch/v1" });
  });

  it("follows links, reads each file once, and continues after files that it cannot read", () => {
    const odd = join(directory, "odd");
    mkdirSync(odd);
    try {
      writeFileSync(join(odd, "a.yaml"), INGRESS);
      writeFileSync(join(odd, "broken.yaml"), "apiVersion: v1\nkind: Pod\nmetadata: }\n");
      writeFileSync(join(odd, "notes.txt"), "nothing to see");
      symlinkSync("a.yaml", join(odd, "again.yaml"));
      symlinkSync("nowhere", join(odd, "dangling.yaml"));
      symlinkSync(".", join(odd, "loop"));
      const { status, out, err } = runCommand(["convert", "-f", odd]);
      expect(status).toBe(1);
      expect(err.split("\n")).toEqual([
        expect.stringMatching(/broken\.yaml:3: Unexpected .*$/),
        `${join(odd, "dangling.yaml")}:1: there is no such file or directory`,
        "",
      ]);
      expect(parseAllDocuments(out)).toHaveLength(1);
    } finally {
      rmSync(odd, { recursive: true });
    }
  });

  it("says so when there is nothing to convert, and when a file is not there", () => {
    const empty = runCommand(["convert", "-f", "-"], "---\n# nothing yet\n---\n");
    expect([empty.status, empty.out, empty.err]).toEqual([1, "", "no manifests found in -\n"]);
    const nowhere = join(directory, "nowhere");
    const missing = runCommand(["convert", "-f", nowhere]);
    expect([missing.status, missing.err]).toEqual([2, `${nowhere}: there is no such file or directory\n`]);
  });

  it("rejects alias bombs and deep nesting", () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${["b", "c", "d", "e", "f", "g"]
      .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${"abcdef"[index]}`).join(",")}]`)
      .join("\n")}\n`;
    expect(runCommand(["convert", "-f", "-"], bomb)).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^<stdin>:1: yaml: document contains excessive aliasing/),
    });
    expect(runCommand(["convert", "-f", "-"], "[".repeat(100_000))).toMatchObject({
      status: 1,
      err: expect.stringMatching(/^<stdin>:1: [^\n]+\n$/),
    });
  });
});
