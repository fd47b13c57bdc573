import type { StructuralSchema } from "../../runtime/cel/schema/structural-schema.ts";

/** Rules as users write them, beside the same rule written by hand. */
export interface BenchRule {
  readonly name: string;
  readonly rule: string;
  readonly byHand: (self: Workload) => boolean;
}

export interface Workload {
  readonly minReplicas: number;
  readonly replicas: number;
  readonly maxReplicas: number;
  readonly name: string;
  readonly strategy: string;
  readonly image: string;
  readonly host: string;
  readonly paused?: boolean;
  readonly labels: Readonly<Record<string, string>>;
  readonly ports: readonly { readonly name: string; readonly port: number; readonly protocol: string }[];
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
  readonly resources: { readonly requests: { readonly cpu: number }; readonly limits: { readonly cpu: number } };
}

const string = { type: "string" };
const integer = { type: "integer" };
const list = (properties: Record<string, StructuralSchema>): StructuralSchema => ({
  type: "array",
  items: { type: "object", properties },
});
const cpu = { type: "object", properties: { cpu: integer } };

export const SCHEMA: StructuralSchema = {
  type: "object",
  properties: {
    minReplicas: integer,
    replicas: integer,
    maxReplicas: integer,
    name: string,
    strategy: string,
    image: string,
    host: string,
    paused: { type: "boolean" },
    labels: { type: "object", additionalProperties: string },
    ports: list({ name: string, port: integer, protocol: string }),
    conditions: list({ type: string, status: string }),
    resources: { type: "object", properties: { requests: cpu, limits: cpu } },
  },
};

export const WORKLOAD: Workload = {
  minReplicas: 1,
  replicas: 3,
  maxReplicas: 10,
  name: "frontend",
  strategy: "RollingUpdate",
  image: "registry.example/frontend:1.2.3",
  host: "frontend.example.com",
  labels: { app: "frontend", tier: "web", "app.kubernetes.io/name": "frontend" },
  ports: [
    { name: "http", port: 8080, protocol: "TCP" },
    { name: "https", port: 8443, protocol: "TCP" },
    { name: "metrics", port: 9090, protocol: "TCP" },
  ],
  conditions: [
    { type: "Progressing", status: "True" },
    { type: "Available", status: "True" },
  ],
  resources: { requests: { cpu: 100 }, limits: { cpu: 200 } },
};

export const RULES: readonly BenchRule[] = [
  {
    name: "range of three numbers",
    rule: "self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas",
    byHand: (self) => self.minReplicas <= self.replicas && self.replicas <= self.maxReplicas,
  },
  {
    name: "one of some strings",
    rule: "self.strategy in ['Recreate', 'RollingUpdate', 'OnDelete']",
    byHand: (self) => ["Recreate", "RollingUpdate", "OnDelete"].includes(self.strategy),
  },
  {
    name: "required together",
    rule: "has(self.paused) ? self.paused == false || self.replicas == 0 : true",
    byHand: (self) => (self.paused !== undefined ? self.paused === false || self.replicas === 0 : true),
  },
  {
    name: "every port in range",
    rule: "self.ports.all(p, p.port > 1024 && p.port < 65536)",
    byHand: (self) => self.ports.every((p) => p.port > 1024 && p.port < 65536),
  },
  {
    name: "one port with a name",
    rule: "self.ports.exists_one(p, p.name == 'http')",
    byHand: (self) => self.ports.filter((p) => p.name === "http").length === 1,
  },
  {
    name: "a condition that holds",
    rule: "self.conditions.exists(c, c.type == 'Available' && c.status == 'True')",
    byHand: (self) => self.conditions.some((c) => c.type === "Available" && c.status === "True"),
  },
  {
    name: "a label with a value",
    rule: "'app' in self.labels && self.labels['app'] == self.name",
    byHand: (self) => "app" in self.labels && self.labels.app === self.name,
  },
  {
    name: "the ends of strings",
    rule: "self.image.startsWith('registry.example/') && !self.image.endsWith(':latest')",
    byHand: (self) => self.image.startsWith("registry.example/") && !self.image.endsWith(":latest"),
  },
  {
    name: "numbers deep inside",
    rule: "self.resources.requests.cpu <= self.resources.limits.cpu && self.resources.limits.cpu <= 4000",
    byHand: (self) => self.resources.requests.cpu <= self.resources.limits.cpu && self.resources.limits.cpu <= 4000,
  },
  {
    name: "names made of parts",
    rule: "self.host == self.name + '.example.com' && size(self.ports) > 0 && self.replicas * 2 <= 100",
    byHand: (self) => self.host === `${self.name}.example.com` && self.ports.length > 0 && self.replicas * 2 <= 100,
  },
];
