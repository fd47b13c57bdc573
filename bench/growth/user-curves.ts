import type { Curve } from "./curve.ts";
import { type Growing, GrowingServer } from "./growing-server.ts";

const RBAC = "/apis/rbac.authorization.k8s.io/v1";
const POLICIES = "/apis/admissionregistration.k8s.io/v1";
const MOST_TENANTS = 1_000;

const tenantName = (index: number) => `tenant-${index}`;
const asUser = (name: string) => ({ authorization: `Bearer ${name}` });
const mapsOf = (namespace: string) => `/api/v1/namespaces/${namespace}/configmaps`;

function role(name: string, rules: readonly object[]): object {
  return { metadata: { name }, rules };
}

function binding(name: string, roleName: string, user: string): object {
  return {
    metadata: { name },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: roleName },
    subjects: [{ kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user }],
  };
}

const READS = { apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list"] };

/**
 * Measures against the number of rules in the user's role, of which the last one allows the request, of role bindings of other users, and of
 * policies that check each new object.
 */
export function growWithRules(): Promise<Curve> {
  const [own, other] = ["with-rules", "with-bindings"];
  const tenants = [own, other];
  return GrowingServer.run(
    async (server) => {
      const ownRole = `${RBAC}/namespaces/${own}/roles`;
      for (const namespace of tenants) {
        await server.post("/api/v1/namespaces", { metadata: { name: namespace } });
        await server.post(`${RBAC}/namespaces/${namespace}/roles`, role("reader", [READS]));
        await server.post(`${RBAC}/namespaces/${namespace}/rolebindings`, binding("reader", "reader", namespace));
        await server.post(mapsOf(namespace), { metadata: { name: "one" } });
      }
      const readAs = (name: string, namespace: string): Growing => ({
        name,
        exponent: namespace === own ? 1 : 0,
        count: 200,
        work: () => server.client.send({ path: `${mapsOf(namespace)}/one`, headers: asUser(namespace) }),
      });
      return server.curve(
        { id: "rules", title: "Number of RBAC rules, role bindings and admission policies", counted: "rules" },
        [10, 100, 1_000],
        async (from, to) => {
          const unrelated = Array.from({ length: to - 1 }, (_, index) => ({
            ...READS,
            resourceNames: [`not-${index}`],
          }));
          await server.client.send({
            method: "PUT",
            path: `${ownRole}/reader`,
            body: JSON.stringify(role("reader", [...unrelated, READS])),
          });
          await server.each(from, to, async (index) => {
            await server.post(
              `${RBAC}/namespaces/${other}/rolebindings`,
              binding(`of-${index}`, "reader", `user-${index}`),
            );
            await server.post(`${POLICIES}/validatingadmissionpolicies`, policy(`policy-${index}`));
            await server.post(`${POLICIES}/validatingadmissionpolicybindings`, {
              metadata: { name: `policy-${index}` },
              spec: { policyName: `policy-${index}`, validationActions: ["Deny"] },
            });
          });
        },
        [
          readAs("get, rules in the user's role", own),
          readAs("get, bindings of other users", other),
          {
            name: "create, admission policies that check it",
            exponent: 1,
            count: 20,
            work: (index) =>
              server.post("/api/v1/namespaces/default/configmaps", {
                metadata: { name: `new-${index}` },
                data: { key: "a" },
              }),
          },
        ],
      );
    },
    { tenants },
  );
}

function policy(name: string): object {
  return {
    metadata: { name },
    spec: {
      failurePolicy: "Fail",
      matchConstraints: {
        resourceRules: [{ apiGroups: [""], apiVersions: ["v1"], resources: ["configmaps"], operations: ["CREATE"] }],
      },
      validations: [{ expression: `!has(object.data) || !('${name}' in object.data)` }],
    },
  };
}

/** Measures against the number of users. Each reads in its own namespace, in turn, with priority and fairness enabled. */
export function growWithTenants(): Promise<Curve> {
  const tenants = Array.from({ length: MOST_TENANTS }, (_, index) => tenantName(index));
  return GrowingServer.run(
    (server) => {
      const as = (index: number, x: number, path: (namespace: string) => string, method = "GET", body?: string) => {
        const name = tenantName(index % x);
        return server.client.send({
          method,
          path: path(name),
          headers: asUser(name),
          ...(body !== undefined && { body }),
        });
      };
      const verbs = [...READS.verbs, "create"];
      return server.curve(
        { id: "tenants", title: "Number of users, each with a namespace", counted: "users" },
        [10, 100, MOST_TENANTS],
        (from, to) =>
          server.each(from, to, async (index) => {
            const name = tenantName(index);
            await server.post("/api/v1/namespaces", { metadata: { name } });
            await server.post(`${RBAC}/namespaces/${name}/roles`, role("own", [{ ...READS, verbs }]));
            await server.post(`${RBAC}/namespaces/${name}/rolebindings`, binding("own", "own", name));
            await server.post(mapsOf(name), { metadata: { name: "one" } });
          }),
        [
          { name: "get", exponent: 0, count: 1_000, work: (index, x) => as(index, x, (name) => `${mapsOf(name)}/one`) },
          { name: "list a namespace", exponent: 0, count: 500, work: (index, x) => as(index, x, mapsOf) },
          {
            name: "create",
            exponent: 0,
            count: 200,
            work: (index, x) => as(index, x, mapsOf, "POST", `{"metadata":{"name":"new-${index}"}}`),
          },
        ],
      );
    },
    { tenants, flags: [] },
  );
}
