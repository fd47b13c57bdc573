/** Manifests that several themes start from, as users write them. */

export function configMap(name: string, data: Readonly<Record<string, string>>, labels = "{ made: here }"): string {
  return `
apiVersion: v1
kind: ConfigMap
metadata: { name: ${name}, labels: ${labels} }
data: ${JSON.stringify(data)}
`;
}

export function deployment(name: string, spec = "{}"): string {
  const more = spec === "{}" ? "" : `  ${spec}`;
  return `
apiVersion: apps/v1
kind: Deployment
metadata: { name: ${name} }
spec:
${more}
  selector: { matchLabels: { app: ${name} } }
  template:
    metadata: { labels: { app: ${name} } }
    spec:
      containers:
        - { name: main, image: "example.com/web:1", ports: [{ containerPort: 80 }] }
`;
}

/** Returns the manifest of any other object, as JSON because kubectl does not accept YAML that begins with a brace. */
export function manifest(kind: string, name: string, more: object = {}, apiVersion = "v1"): string {
  return JSON.stringify({ apiVersion, kind, metadata: { name }, ...more });
}
