import { beforeEach, describe, expect, it } from "vitest";
import { createCertificateApproval } from "../../runtime/admission/plugins/certificate-approval.ts";
import { createCertificateSigning } from "../../runtime/admission/plugins/certificate-signing.ts";
import { createCertificateSubjectRestriction } from "../../runtime/admission/plugins/certificate-subject-restriction.ts";
import { createNodeRestriction } from "../../runtime/admission/plugins/node-restriction.ts";
import type { AccessAttributes } from "../../runtime/contract/authorization.ts";
import { integer, objectIdentifier, sequence, set } from "../../runtime/x509/der.ts";
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

  it("require the permission to approve or sign for the signer or its domain", async () => {
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

  it("find system:masters in a subject whose strings are in UTF-16", () => {
    const utf16 = Buffer.from("system:masters", "utf16le").swap16();
    const organization = sequence(objectIdentifier("2.5.4.10"), Buffer.concat([Buffer.of(0x1e, utf16.length), utf16]));
    const der = sequence(sequence(integer(Uint8Array.of(0)), sequence(set(organization))));
    const pem = `-----BEGIN CERTIFICATE REQUEST-----\n${Buffer.from(der).toString("base64")}\n-----END CERTIFICATE REQUEST-----\n`;
    const plugin = createCertificateSubjectRestriction(environmentOver(objects));
    const object = csr("kubernetes.io/kube-apiserver-client", {}, Buffer.from(pem).toString("base64"));
    expect(() => plugin.validate?.(admissionRequest(target, object))).toThrow("system:masters group is not allowed");
  });

  it("reject certificate requests for the group system:masters", (context) => {
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

  it("lets a node change only its own Node object", async () => {
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

  it("lets a node write only its own pods, leases and tokens", async () => {
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
    await expect(admit("/pods", undefined, { operation: "DELETE", name: "absent" })).rejects.toMatchObject({
      status: { code: 404, message: 'pod "absent" not found', details: { name: "absent", kind: "pod" } },
    });
    const mirror = {
      metadata: {
        name: "m",
        annotations: { "kubernetes.io/config.mirror": "h" },
        ownerReferences: [{ apiVersion: "v1", kind: "Node", name: "n1", uid: "u", controller: true }],
      },
      spec: { nodeName: "n1", containers: [] },
    };
    await expect(admit("/pods", mirror)).rejects.toMatchObject({
      status: { code: 404, message: 'node "n1" not found', details: { name: "n1", kind: "node" } },
    });
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

  it("allows tokens of a pod only for the audiences of its volumes and CSI drivers", async () => {
    const storage = (resource: string) => ({ group: "storage.k8s.io", resource });
    await objects.seed(core("pods"), {
      metadata: { name: "mine", namespace: "default", uid: "u1" },
      spec: {
        nodeName: "n1",
        volumes: [
          { name: "t", projected: { sources: [{ serviceAccountToken: { audience: "vault" } }] } },
          { name: "c", persistentVolumeClaim: { claimName: "claim" } },
        ],
      },
    });
    const claim = { metadata: { name: "claim", namespace: "default" }, spec: { volumeName: "pv" } };
    await objects.seed(core("persistentvolumeclaims"), claim);
    await objects.seed(core("persistentvolumes"), {
      metadata: { name: "pv" },
      spec: { awsElasticBlockStore: { volumeID: "v" } },
    });
    const request = (audiences: string[]) => {
      const boundObjectRef = { apiVersion: "v1", kind: "Pod", name: "mine", uid: "u1" };
      const authorizer = { authorize: () => ({ decision: "noOpinion" as const, reason: "" }) };
      return createNodeRestriction(environmentOver(objects, { authorizer, featureEnabled: () => true })).mutate?.(
        admissionRequest("/serviceaccounts/token", { spec: { audiences, boundObjectRef } }, { user, name: "default" }),
        FIRST_ROUND,
      );
    };
    await request(["vault"]);
    await expect(request(["vault", "other"])).rejects.toThrow("node may only request 0 or 1 audiences");
    await expect(request(["cloud"])).rejects.toThrow(
      'error validating audience "cloud": csidriver.storage.k8s.io "ebs.csi.aws.com" not found',
    );
    await objects.seed(storage("csidrivers"), {
      metadata: { name: "ebs.csi.aws.com" },
      spec: { tokenRequests: [{ audience: "cloud" }] },
    });
    await request(["cloud"]);
    await expect(request(["other"])).rejects.toThrow('audience "other" not found in pod spec volume');
    await expect(request([])).rejects.toThrow('audience "" not found in pod spec volume');
  });

  it("lets a node request certificates only for its own name", async (context) => {
    try {
      const target = "certificates.k8s.io/certificatesigningrequests";
      const ask = (subject: string, signerName = "kubernetes.io/kubelet-serving") =>
        admit(target, { metadata: { name: "c" }, spec: { signerName, request: issueCertificateRequest(subject) } });
      await ask("/O=system:nodes/CN=system:node:n1");
      await ask("/CN=anything", "example.com/own");
      for (const signer of ["kubernetes.io/kubelet-serving", "kubernetes.io/kube-apiserver-client-kubelet"])
        for (const subject of ["/O=system:nodes/CN=system:node:n2", "/CN=system:node:n1/CN=system:node:n2", "/O=x"])
          await expect(ask(subject, signer)).rejects.toThrow("can only create a node CSR with CN=system:node:n1");
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      context.skip("no openssl here");
    }
  });

  it("does not apply to other users", async () => {
    await admit("/nodes", { metadata: { name: "n2" } }, { user: { name: "bob", groups: [] } });
  });
});
