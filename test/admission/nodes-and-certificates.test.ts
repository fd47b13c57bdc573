import { beforeEach, describe, expect, it } from "vitest";
import { createCertificateApproval } from "../../runtime/admission/plugins/certificate-approval.ts";
import { createCertificateSigning } from "../../runtime/admission/plugins/certificate-signing.ts";
import { createCertificateSubjectRestriction } from "../../runtime/admission/plugins/certificate-subject-restriction.ts";
import { createNodeRestriction } from "../../runtime/admission/plugins/node-restriction.ts";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import type { InMemoryObjects } from "../auth/in-memory-objects.ts";
import { issueCertificateRequest } from "../fixtures/certificate-request.ts";
import { admissionRequest, core, environmentOver, FIRST_ROUND, firstObjects, pod } from "./admission-requests.ts";

let objects: InMemoryObjects;
beforeEach(async () => {
  objects = await firstObjects();
});

describe("certificate plugins", () => {
  const target = "certificates.k8s.io/certificatesigningrequests";
  const deny = { authorizer: { authorize: () => ({ decision: "noOpinion" as const, reason: "" }) } };
  const csr = (signerName: string, status = {}, request = "") => ({
    metadata: { name: "c" },
    spec: { signerName, request },
    status,
  });

  it("ask for the right to approve and to sign, by signer or its domain", async () => {
    const asked: string[] = [];
    const authorizer = {
      authorize: (attributes: AccessAttributes) => {
        if ("resource" in attributes) asked.push(`${attributes.verb} ${attributes.name}`);
        return { decision: "noOpinion" as const, reason: "" };
      },
    };
    const old = csr("example.com/s") as never;
    const approval = admissionRequest(`${target}/approval`, csr("example.com/s"), {
      operation: "UPDATE",
      oldObject: old,
    });
    await expect(
      createCertificateApproval(environmentOver(objects, { authorizer })).validate?.(approval),
    ).rejects.toThrow(
      'certificatesigningrequests.certificates.k8s.io "c" is forbidden: user not permitted to approve requests with signerName "example.com/s"',
    );
    expect(asked).toEqual(["approve example.com/s", "approve example.com/*"]);
    const signed = csr("example.com/s", { certificate: "x" });
    const signing = createCertificateSigning(environmentOver(objects, deny));
    await signing.validate?.(
      admissionRequest(`${target}/status`, csr("example.com/s"), { operation: "UPDATE", oldObject: old }),
    );
    await expect(
      signing.validate?.(admissionRequest(`${target}/status`, signed, { operation: "UPDATE", oldObject: old })),
    ).rejects.toThrow("user not permitted to sign requests");
  });

  it("let nobody into system:masters through a request", (context) => {
    try {
      const plugin = createCertificateSubjectRestriction(environmentOver(objects));
      const signer = "kubernetes.io/kube-apiserver-client";
      const check = (request: string, name = signer) =>
        plugin.validate?.(admissionRequest(target, csr(name, {}, request)));
      const masters = issueCertificateRequest("/O=dev/O=system:masters/CN=eve");
      expect(() => check(masters)).toThrow(`use of ${signer} signer with system:masters group is not allowed`);
      check(masters, "example.com/own");
      check(issueCertificateRequest("/O=dev/CN=bob"));
      expect(() => check(Buffer.from("junk").toString("base64"))).toThrow("failed to parse CSR");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      context.skip("no openssl here");
    }
  });
});

describe("NodeRestriction", () => {
  const user = { name: "system:node:n1", groups: ["system:nodes"] };
  const admit = (target: string, object: object | undefined, parts = {}) =>
    createNodeRestriction(environmentOver(objects)).mutate?.(
      admissionRequest(target, object, { user, ...parts }),
      FIRST_ROUND,
    );

  it("keeps a node to itself", async () => {
    const node = (name: string, labels = {}) => ({ metadata: { name, labels } });
    await admit(
      "/nodes",
      node("n1", { "kubernetes.io/hostname": "n1", "node.kubernetes.io/x": "1", "example.com/y": "1" }),
    );
    await expect(admit("/nodes", node("n2"))).rejects.toThrow('node "n1" is not allowed to modify node "n2"');
    await expect(
      admit("/nodes", node("n1", { "node-role.kubernetes.io/admin": "", "node-restriction.kubernetes.io/a": "" })),
    ).rejects.toThrow(
      'node "n1" is not allowed to set the following labels: node-restriction.kubernetes.io/a, node-role.kubernetes.io/admin',
    );
    const taints = { metadata: { name: "n1" }, spec: { taints: [] } };
    const old = { metadata: { name: "n1" }, spec: { taints: [{ key: "k" }] } };
    await expect(admit("/nodes", taints, { operation: "UPDATE", oldObject: old })).rejects.toThrow(
      'node "n1" is not allowed to modify taints',
    );
  });

  it("keeps a node to its own pods, leases and tokens", async () => {
    await objects.seed(core("pods"), {
      metadata: { name: "mine", namespace: "default", uid: "u1" },
      spec: { nodeName: "n1" },
    });
    await objects.seed(core("pods"), {
      metadata: { name: "theirs", namespace: "default", uid: "u2" },
      spec: { nodeName: "n2" },
    });
    await admit("/pods", undefined, { operation: "DELETE", name: "mine" });
    await expect(admit("/pods", undefined, { operation: "DELETE", name: "theirs" })).rejects.toThrow(
      "can only delete pods with spec.nodeName set to itself",
    );
    await expect(admit("/pods", pod())).rejects.toThrow('pod does not have "kubernetes.io/config.mirror" annotation');
    await expect(
      admit("coordination.k8s.io/leases", { metadata: { name: "n2" } }, { namespace: "kube-node-lease" }),
    ).rejects.toThrow("same name as the requesting node");
    const token = (name: string, uid: string) =>
      admit(
        "/serviceaccounts/token",
        { spec: { boundObjectRef: { apiVersion: "v1", kind: "Pod", name, uid } } },
        { name: "default" },
      );
    await token("mine", "u1");
    await expect(token("theirs", "u2")).rejects.toThrow(
      "node requested token bound to a pod scheduled on a different node",
    );
  });

  it("does not concern other users", async () => {
    await admit("/nodes", { metadata: { name: "n2" } }, { user: { name: "bob", groups: [] } });
  });
});
