import { beforeAll, describe, expect, it } from "vitest";
import type { Kubectl, KubectlResult } from "../../tools/kubectl.ts";

/** A PKCS#10 request for the user jane. Its private key was discarded. */
const REQUEST =
  "LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlIWU1JR0FBZ0VBTUI0eERUQUxCZ05WQkFvTUJHUmxkbk14RFRB" +
  "TEJnTlZCQU1NQkdwaGJtVXdXVEFUQmdjcQpoa2pPUFFJQkJnZ3Foa2pPUFFNQkJ3TkNBQVF3R1grQ1k4UlFLYnhoWVdxWFZlb3F4" +
  "VDdwM1ZzLzFkUzNSQ2J5CllEeXM2UjU5cHRiNFJmQkZpSE54c2hxTXgvUXZQUWRDcThtbGhDUlhmclBjekNRUm9BQXdDZ1lJS29a" +
  "SXpqMEUKQXdJRFJ3QXdSQUlnTitFQVFBK0VzY3FmazNZa3MzK0JMMHliTHRoWXZsSEdnQm8yajF1YVpEVUNJSCt4TE83QQpldnF6" +
  "Vkl1NC9QbjBVMS9INmVVbndVMDRyaEpZdHl2bWQ2SXUKLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg==";

export function access(cluster: Kubectl): void {
  describe("access", () => {
    const kubectl = cluster.in("access");
    const robot = "--as=system:serviceaccount:access:default";

    beforeAll(() => cluster.ok("create namespace access"));

    it("tells who one is", async () => {
      expect(await cluster.ok("auth whoami")).toMatch(/Username +kubernetes-admin\n[\s\S]*system:masters/);
      expect(await cluster.ok("auth whoami --as=jane --as-group=devs -o jsonpath={.status.userInfo}")).toBe(
        '{"groups":["devs","system:authenticated"],"username":"jane"}',
      );
    });

    it("tells what one may do, by roles and their bindings", async () => {
      expect(await kubectl.ok("auth can-i create deployments")).toBe("yes");
      const before = await kubectl.run(`auth can-i get pods ${robot}`);
      expect(before).toMatchObject({ code: 1, stdout: "no\n" });
      await kubectl.ok("create role reader --verb=get,list --resource=pods");
      await kubectl.ok("create rolebinding robot-reads --role=reader --serviceaccount=access:default");
      expect(await kubectl.ok(`auth can-i get pods ${robot}`)).toBe("yes");
      expect((await kubectl.run(`auth can-i delete pods ${robot}`)).stdout).toBe("no\n");
      expect(await kubectl.ok(`auth can-i --list ${robot}`)).toMatch(/^pods +\[\] +\[\] +\[get list\]$/m);
      expect(await kubectl.ok(`get pods -o name ${robot}`)).toBe("");
      expect(await kubectl.fails(`get secrets ${robot}`)).toBe(
        'Error from server (Forbidden): secrets is forbidden: User "system:serviceaccount:access:default" cannot list resource "secrets" in API group "" in the namespace "access"',
      );
    });

    it("does not let one grant what one does not have", async () => {
      await kubectl.ok("create role granter --verb=create --resource=roles.rbac.authorization.k8s.io");
      await kubectl.ok("create rolebinding robot-grants --role=granter --serviceaccount=access:default");
      expect(await kubectl.fails(`create role more --verb=delete --resource=secrets ${robot}`)).toContain(
        "is attempting to grant RBAC permissions not currently held",
      );
    });

    it("reconciles roles", async () => {
      const role = `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: { name: reader, namespace: access }
rules: [{ apiGroups: [""], resources: [services], verbs: [get] }]
`;
      expect(await kubectl.given(role).ok("auth reconcile -f -")).toContain(
        "role.rbac.authorization.k8s.io/reader reconciled",
      );
      expect(await kubectl.ok(`auth can-i get services ${robot}`)).toBe("yes");
      expect(await kubectl.ok(`auth can-i get pods ${robot}`)).toBe("yes");
    });

    it("gives tokens of service accounts that work", async () => {
      await kubectl.ok("create serviceaccount robot");
      const token = await kubectl.ok("create token robot --duration=10m");
      const server = await cluster.ok("config view -o jsonpath={.clusters[0].cluster.server}");
      // A client certificate takes precedence over a token, so no kubeconfig is used with the token.
      const bearer = (text: string): Promise<KubectlResult> =>
        kubectl
          .with({ KUBECONFIG: "/dev/null" })
          .run(
            `auth whoami -s ${server} --insecure-skip-tls-verify --token=${text} -o jsonpath={.status.userInfo.username}`,
          );
      expect((await bearer(token)).stdout).toBe("system:serviceaccount:access:robot");
      expect((await bearer(`${token.slice(0, -8)}AAAAAAAA`)).stderr).toContain("You must be logged in to the server");
    });

    it("approves and denies requests for certificates, and remembers who asked", async () => {
      const request = (name: string): string => `
apiVersion: certificates.k8s.io/v1
kind: CertificateSigningRequest
metadata: { name: ${name} }
spec: { request: ${REQUEST}, signerName: kubernetes.io/kube-apiserver-client, usages: [client auth] }
`;
      await cluster.given([request("jane"), request("eve")].join("---")).ok("create -f -");
      expect(await cluster.ok("certificate approve jane")).toContain(
        "certificatesigningrequest.certificates.k8s.io/jane approved",
      );
      expect(await cluster.ok("certificate deny eve")).toContain("eve denied");
      const table = await cluster.ok("get csr");
      expect(table).toMatch(/^jane .* kubernetes\.io\/kube-apiserver-client +kubernetes-admin +<none> +Approved/m);
      expect(table).toMatch(/^eve .* Denied$/m);
    });
  });
}
