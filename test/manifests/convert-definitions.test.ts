import { describe, expect, it } from "vitest";
import { runCommand } from "./run-command.ts";

const DEFINITION = `apiVersion: apiextensions.k8s.io/v1beta1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  version: v1 # the only one
  preserveUnknownFields: false
  names:
    plural: widgets
    kind: Widget
  scope: Namespaced
  validation:
    openAPIV3Schema:
      type: object
  additionalPrinterColumns:
    - name: Color
      type: string
      JSONPath: .spec.color
`;

describe("converting definitions of custom kinds", () => {
  it("moves shared settings into each version, and adds no annotations for absent fields", () => {
    const { status, out, err } = runCommand(["convert", "-f", "-"], DEFINITION);
    expect([status, err]).toEqual([0, ""]);
    expect(out).toBe(`apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widgets.example.com
spec:
  group: example.com
  # the only one
  versions:
    - name: v1
      served: true
      storage: true
      schema:
        openAPIV3Schema:
          type: object
      additionalPrinterColumns:
        - name: Color
          type: string
          jsonPath: .spec.color
  names:
    plural: widgets
    kind: Widget
  scope: Namespaced
`);
  });

  it("keeps fields that the other version does not have", () => {
    const paused = `apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: web
spec:
  rollbackTo:
    revision: 3
  selector:
    matchLabels: {app: web}
  template:
    metadata:
      labels: {app: web}
    spec:
      containers: [{name: web, image: example.com/web}]
`;
    const there = runCommand(["convert", "-f", "-"], paused);
    expect(there.out).not.toContain("rollbackTo:");
    const back = runCommand(["convert", "-f", "-", "--output-version", "extensions/v1beta1"], there.out);
    expect(back.out).toContain("rollbackTo:\n    revision: 3\n");
    expect(back.out).not.toContain("annotations");
  });
});
