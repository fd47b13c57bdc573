import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { WebhookConfiguration } from "../../runtime/auth/authorize/webhook/authorization-configuration.ts";
import { checkAuthorization } from "../../runtime/auth/authorize/webhook/check-authorization.ts";

const directory = mkdtempSync(join(tmpdir(), "typeplane-authz-"));
const kubeconfig = join(directory, "kubeconfig");
writeFileSync(kubeconfig, "");
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const GOOD: WebhookConfiguration = {
  authorizedTTL: "5m0s",
  unauthorizedTTL: "30s",
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  matchConditionSubjectAccessReviewVersion: "v1",
  failurePolicy: "NoOpinion",
  connectionInfo: { type: "KubeConfigFile", kubeConfigFile: kubeconfig },
  matchConditions: null,
};
const problems = (authorizers: Parameters<typeof checkAuthorization>[0]["authorizers"]) =>
  checkAuthorization({ authorizers }, true).problems.map(({ field, message }) => `${field}: ${message}`);
const webhook = (change: Partial<WebhookConfiguration>) =>
  problems([{ type: "Webhook", name: "w", webhook: { ...GOOD, ...change } }]);

describe("an authorization configuration", () => {
  it("may name several webhooks among the modes", () => {
    const one = { type: "Webhook", webhook: GOOD };
    expect(
      problems([
        { type: "Node", name: "node" },
        { ...one, name: "a" },
        { ...one, name: "b.c" },
        { type: "RBAC", name: "rbac" },
      ]),
    ).toEqual([]);
  });

  it.each([
    [null, "authorizers: Required value: at least one authorization mode must be defined"],
    [[{ type: "", name: "x" }], "authorizers[0].type: Required value"],
    [
      [{ type: "Foo", name: "foo" }],
      'authorizers[0].type: Unsupported value: "Foo": supported values: "ABAC", "AlwaysAllow", "AlwaysDeny", "Node", "RBAC", "Webhook"',
    ],
    [
      [
        { type: "RBAC", name: "rbac" },
        { type: "RBAC", name: "again" },
      ],
      'authorizers[1].type: Duplicate value: "RBAC"',
    ],
    [[{ type: "RBAC", name: "" }], "authorizers[0].name: Required value"],
    [
      [{ type: "RBAC", name: "mine" }],
      'authorizers[0].name: Invalid value: "mine": expected name rbac for authorizer RBAC instead of mine',
    ],
    [[{ type: "Webhook", name: "w" }], "authorizers[0].webhook: Required value: required when type=Webhook"],
    [
      [{ type: "RBAC", name: "rbac", webhook: GOOD }],
      'authorizers[0].webhook: Invalid value: "non-null": may only be specified when type=Webhook',
    ],
  ])("refuses %j", (authorizers, problem) => {
    expect(problems(authorizers)).toEqual([problem]);
  });

  it.each([
    [{ timeout: "" }, "authorizers[0].timeout: Required value"],
    [{ timeout: "31s" }, 'authorizers[0].timeout: Invalid value: "31s": must be > 0s and <= 30s'],
    [{ timeout: "-1s" }, 'authorizers[0].timeout: Invalid value: "-1s": must be > 0s and <= 30s'],
    [{ authorizedTTL: "-5m0s" }, 'authorizers[0].authorizedTTL: Invalid value: "-5m0s": must be > 0s'],
    [{ unauthorizedTTL: "0s" }, "authorizers[0].unauthorizedTTL: Required value"],
    [
      { subjectAccessReviewVersion: "v2" },
      'authorizers[0].subjectAccessReviewVersion: Unsupported value: "v2": supported values: "v1", "v1beta1"',
    ],
    [
      { matchConditionSubjectAccessReviewVersion: "v1beta1" },
      'authorizers[0].matchConditionSubjectAccessReviewVersion: Unsupported value: "v1beta1": supported values: "v1"',
    ],
    [
      { matchConditionSubjectAccessReviewVersion: "", matchConditions: [{ expression: "true" }] },
      "authorizers[0].matchConditionSubjectAccessReviewVersion: Required value: required if match conditions are specified",
    ],
    [{ failurePolicy: "" }, "authorizers[0].failurePolicy: Required value"],
    [
      { failurePolicy: "Allow" },
      'authorizers[0].failurePolicy: Unsupported value: "Allow": supported values: "NoOpinion", "Deny"',
    ],
    [{ connectionInfo: { type: "" } }, "authorizers[0].connectionInfo.type: Required value"],
    [
      { connectionInfo: { type: "Other" } },
      'authorizers[0].connectionInfo.type: Unsupported value: apiserver.WebhookConnectionInfo{Type:"Other", KubeConfigFile:(*string)(nil)}: supported values: "InClusterConfig", "KubeConfigFile"',
    ],
    [{ connectionInfo: { type: "KubeConfigFile" } }, "authorizers[0].connectionInfo.kubeConfigFile: Required value"],
    [
      { connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "here" } },
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "here": must be an absolute path',
    ],
    [
      { connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/nowhere" } },
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/nowhere": error loading file: stat /nowhere: no such file or directory',
    ],
    [
      { connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "/" } },
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/": must be a regular file',
    ],
    [
      { connectionInfo: { type: "InClusterConfig", kubeConfigFile: "/x" } },
      'authorizers[0].connectionInfo.kubeConfigFile: Invalid value: "/x": can only be set when type=KubeConfigFile',
    ],
    [
      { matchConditions: Array.from({ length: 65 }, (_, index) => ({ expression: `${index} > 0` })) },
      "authorizers[0].matchConditions: Too many: 65: must have at most 64 items",
    ],
    [{ matchConditions: [{ expression: " " }] }, "authorizers[0].matchConditions[0].expression: Required value"],
    [
      { matchConditions: [{ expression: "true" }, { expression: "true" }] },
      'authorizers[0].matchConditions[1].expression: Duplicate value: "true"',
    ],
    [
      { matchConditions: [{ expression: "request.user" }] },
      'authorizers[0].matchConditions[0].expression: Invalid value: "request.user": must evaluate to bool but got string',
    ],
    [
      { matchConditions: [{ expression: "request.usr == ''" }] },
      "authorizers[0].matchConditions[0].expression: Invalid value: \"request.usr == ''\": compilation failed: ERROR: <input>:1:8: undefined field 'usr'\n | request.usr == ''\n | .......^",
    ],
  ])("refuses a webhook with %j", (change, problem) => {
    expect(webhook(change)).toEqual([problem]);
  });
});
