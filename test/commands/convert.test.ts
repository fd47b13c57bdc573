import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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

  it("says what the old version assumed where the new one assumes something else, and nothing more", () => {
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

  it("reports what is no object by file and line, and converts the rest", () => {
    const { status, out, err } = runCommand(["convert", "-f", directory, "--output-version", "networking.k8s.io/v1"]);
    expect(status).toBe(1);
    expect(err).toBe(`${join(directory, "below", "mixed.yaml")}:1: it is no object\n`);
    expect(parseAllDocuments(out)).toHaveLength(2);
  });

  it("converts items of lists, and prints JSON", () => {
    const list = { apiVersion: "v1", kind: "List", items: [parse(INGRESS)] };
    const args = ["convert", "-f", "-", "--output-version", "networking.k8s.io/v1", "-o", "json"];
    const { status, out } = runCommand(args, JSON.stringify(list));
    expect(status).toBe(0);
    expect(JSON.parse(out).items[0].spec.defaultBackend.service.name).toBe("web");
  });

  it("refuses versions nobody knows with a suggestion, and kinds a version lacks by line", () => {
    const unknown = runCommand(["convert", "-f", "-", "--output-version", "app/v1"], DEPLOYMENT);
    expect([unknown.status, unknown.err]).toEqual([
      2,
      expect.stringMatching(/there is no version "app\/v1".*apps\/v1/),
    ]);
    const lacking = runCommand(["convert", "-f", "-", "--output-version", "batch/v1"], DEPLOYMENT);
    expect([lacking.status, lacking.err]).toEqual([
      1,
      "<stdin>:1: extensions/v1beta1 Deployment does not exist in batch/v1\n",
    ]);
    expect(runCommand(["convert"]).status).toBe(2);
    expect(runCommand(["convert", "-f", join(directory, "nowhere")]).status).toBe(2);
    expect(runCommand(["convert", "--help"]).out).toContain("--output-version");
  });
});
