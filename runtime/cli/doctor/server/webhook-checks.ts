import type { Naming } from "../../../contract/naming.ts";
import type { Check, Finding, Severity } from "../check.ts";
import { probe } from "./probe.ts";
import type { ServerView } from "./server-view.ts";

interface ClientConfig {
  readonly url?: string;
  readonly caBundle?: string;
  readonly service?: { readonly namespace: string; readonly name: string };
}
interface WebhookConfiguration {
  readonly metadata: { readonly name: string };
  readonly webhooks?: readonly {
    readonly name: string;
    readonly failurePolicy?: string;
    readonly clientConfig: ClientConfig;
  }[];
}
interface Definition {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly conversion?: { readonly strategy?: string; readonly webhook?: { readonly clientConfig?: ClientConfig } };
  };
}
interface Slice {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>>; readonly namespace: string };
  readonly endpoints?: readonly { readonly conditions?: { readonly ready?: boolean } }[];
}

/** Returns why a webhook cannot be called, as far as this command can determine; undefined if there is no problem. */
async function troubleOf(
  server: ServerView,
  { url, service, caBundle }: ClientConfig,
  naming: Naming,
): Promise<string | undefined> {
  if (url !== undefined) {
    const reason = await probe(url, caBundle);
    return reason && `${url} cannot be reached from here: ${reason}`;
  }
  if (service === undefined) return undefined;
  const { namespace, name } = service;
  const services = await server.list<{ metadata: { name: string }; spec?: { type?: string } }>(
    `/api/v1/namespaces/${namespace}/services`,
  );
  const found = services.find(({ metadata }) => metadata.name === name);
  if (found === undefined) return `the Service ${namespace}/${name} does not exist`;
  if (found.spec?.type === "ExternalName") return undefined;
  const slices = await server.list<Slice>(
    `/apis/${naming.group("discovery")}/v1/namespaces/${namespace}/endpointslices`,
  );
  const label = naming.key("service-name");
  const own = slices.filter(({ metadata }) => metadata.labels?.[label] === name);
  const ready = own.some(({ endpoints = [] }) => endpoints.some(({ conditions }) => conditions?.ready !== false));
  return ready ? undefined : `the Service ${namespace}/${name} has no ready endpoints`;
}

export function admissionWebhooks(naming: Naming): Check<ServerView> {
  return {
    name: "admission-webhooks",
    looksAt: "admission webhooks that cannot be reached or whose calls fail",
    async run(server) {
      const group = `/apis/${naming.group("admissionregistration")}/v1`;
      const configurations = await Promise.all(
        ["validatingwebhookconfigurations", "mutatingwebhookconfigurations"].map((resource) =>
          server.listIfServed<WebhookConfiguration>(`${group}/${resource}`),
        ),
      );
      const metrics = await server.metrics().catch(() => undefined);
      const findings: Finding[] = [];
      for (const { metadata, webhooks = [] } of configurations.flat()) {
        for (const { name, failurePolicy = "Fail", clientConfig } of webhooks) {
          const failures =
            (metrics?.value("apiserver_admission_webhook_rejection_count", {
              name,
              error_type: "calling_webhook_error",
            }) ?? 0) + (metrics?.value("apiserver_admission_webhook_fail_open_count", { name }) ?? 0);
          const trouble = await troubleOf(server, clientConfig, naming);
          if (trouble === undefined && failures === 0) continue;
          findings.push(finding({ configuration: metadata.name, name, failurePolicy, trouble, failures }));
        }
      }
      return findings;
    },
  };
}

interface Trouble {
  readonly configuration: string;
  readonly name: string;
  readonly failurePolicy: string;
  readonly trouble: string | undefined;
  readonly failures: number;
}

function finding({ configuration, name, failurePolicy, trouble, failures }: Trouble): Finding {
  const fails = failurePolicy === "Fail";
  const severity: Severity = trouble === undefined ? "info" : fails ? "error" : "warning";
  const what = `The admission webhook ${name} of ${configuration} (failurePolicy ${failurePolicy})`;
  const counted = failures > 0 ? `${failures} calls of it failed since the server started` : undefined;
  const effect = fails ? "Requests that it matches are rejected." : "Requests that it matches are admitted without it.";
  return {
    severity,
    finding: `${what}: ${[trouble, counted].filter((part) => part !== undefined).join("; ")}.${trouble === undefined ? "" : ` ${effect}`}`,
    advice: "Start the webhook, repair its Service or its caBundle: docs/operations/webhook-down.md.",
  };
}

export function conversionWebhooks(naming: Naming): Check<ServerView> {
  return {
    name: "conversion-webhooks",
    looksAt: "conversion webhooks that cannot be reached or whose calls fail",
    async run(server) {
      const definitions = await server.listIfServed<Definition>(
        `/apis/${naming.group("apiextensions")}/v1/customresourcedefinitions`,
      );
      const metrics = await server.metrics().catch(() => undefined);
      const findings: Finding[] = [];
      for (const { metadata, spec } of definitions) {
        const config = spec.conversion?.strategy === "Webhook" ? spec.conversion.webhook?.clientConfig : undefined;
        if (config === undefined) continue;
        const trouble = await troubleOf(server, config, naming);
        const failures =
          metrics?.value("apiserver_crd_conversion_webhook_duration_seconds_count", {
            crd_name: metadata.name,
            succeeded: "false",
          }) ?? 0;
        if (trouble === undefined && failures === 0) continue;
        const counted = failures > 0 ? `${failures} conversions failed since the server started` : undefined;
        findings.push({
          severity: trouble === undefined ? "info" : "error",
          finding: `The conversion webhook of ${metadata.name}: ${[trouble, counted].filter((part) => part !== undefined).join("; ")}.`,
          advice: "Start the webhook, repair its Service or its caBundle: docs/operations/conversion-webhook-down.md.",
        });
      }
      return findings;
    },
  };
}
