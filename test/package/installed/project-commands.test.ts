import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { BOOK, installProject, withField, write } from "./install-project.ts";

const { home, project, typeplane } = installProject();

beforeAll(() => {
  expect(typeplane("generate")).toMatchObject({ status: 0 });
});

describe("the installed command, in a project", () => {
  it("says its versions, and lists all commands", () => {
    expect(typeplane("version")).toMatchObject({
      status: 0,
      out: expect.stringMatching(/^typeplane \S+\nKubernetes API v1\.33\.0\nNode\.js v\d+/),
    });
    const { status, out } = typeplane("help");
    expect(status).toBe(0);
    for (const command of ["init", "generate", "serve", "dev", "crds", "migrate-storage"])
      expect(out).toContain(`  typeplane ${command} `);
  });

  it("records releases, describes what changed between them, and refuses what breaks the last one", () => {
    const identity = ["-c", "user.name=Team", "-c", "user.email=team@example.com"];
    const git = (...args: string[]) => execFileSync("git", [...identity, ...args], { cwd: project });
    const original = readFileSync(join(project, BOOK), "utf8");
    const released = { status: 0, out: "api-definitions/released-api.json: release 1.33, 1 kind\n", err: "" };
    expect(typeplane("release-snapshot")).toEqual(released);
    git("init", "-q");
    git("add", "api-definitions", "generated");
    git("commit", "-qm", "First release");
    write(project, BOOK, withField(original, "shelf?: string"));
    expect(typeplane("release-snapshot")).toEqual(released);
    expect(typeplane("api-diff", "HEAD")).toEqual({
      status: 0,
      out: "changes:\n  library.example.com/v1 BookSpec.shelf is new: string\n",
      err: "",
    });
    write(project, BOOK, withField(original, "shelf?: Int32"));
    const { status, err } = typeplane("generate");
    expect(status).toBe(1);
    expect(err).toContain(
      "evolution-field-retyped: library.example.com/v1 BookSpec.shelf changed from string to int32",
    );
    write(project, BOOK, original);
    rmSync(join(project, "api-definitions/released-api.json"));
  });

  it("adds the definition of a kind, and refuses to compare the API with a git revision that does not exist", () => {
    expect(typeplane("scaffold", "library.example.com/v1/Author")).toMatchObject({
      status: 0,
      out: expect.stringContaining("wrote api-definitions/library/v1/author.ts\n"),
    });
    expect(typeplane("api-diff", "no-such-revision")).toMatchObject({
      status: 2,
      out: "",
      err: "no-such-revision is not a git revision of this repository\n",
    });
  });

  it("converts manifests, and rewrites stored objects", () => {
    write(
      project,
      "scaler.yaml",
      `apiVersion: autoscaling/v1
kind: HorizontalPodAutoscaler
metadata:
  name: one
spec:
  maxReplicas: 3
  scaleTargetRef: { kind: Deployment, name: one }
  targetCPUUtilizationPercentage: 80
`,
    );
    const converted = typeplane("convert", "-f", "scaler.yaml", "--output-version", "autoscaling/v2");
    expect(converted).toMatchObject({ status: 0, err: "" });
    expect(converted.out).toContain("averageUtilization: 80");
    mkdirSync(join(home, "data"));
    expect(typeplane("migrate-storage", `--data-dir=${join(home, "data")}`)).toMatchObject({
      status: 0,
      out: "0 objects rewritten for release 1.33\n",
    });
  });
});
