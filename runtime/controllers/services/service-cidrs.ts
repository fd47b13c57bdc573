import type { ApiObject } from "../../contract/api-object.ts";
import { hasReason } from "../../contract/status.ts";
import { WorkQueue } from "../../lib/work-queue.ts";
import { formatTime } from "../../values/times.ts";
import { type Controller, type ControllerParts, createQueueController, queueOptions } from "../controller.ts";
import { rangesOf, type ServiceCidr } from "./service-ranges.ts";

/** Milliseconds for which a deleted range without used addresses is kept, so that every server sees the deletion first. */
const GRACE_MILLISECONDS = 10_000;

/** Sets the Ready condition of ServiceCIDRs, and delays the deletion of those whose addresses are in use. */
export function createServiceCidrs(parts: ControllerParts): Controller {
  const { naming, reader, writer, feed } = parts;
  const name = "service-cidr-controller";
  const group = naming.group("networking");
  const cidrs = { group, resource: "servicecidrs" };
  const addresses = { group, resource: "ipaddresses" };
  const finalizer = `${group}/service-cidr-finalizer`;
  const managed = { [naming.key("managed-by", "ipaddress")]: naming.group("ipallocator") };
  const deleting = new Set<string>();
  const queue = new WorkQueue(sync, queueOptions(name, parts));

  async function sync(key: string): Promise<number | undefined> {
    const cidr = (await reader.get(cidrs, "", key)) as ServiceCidr | undefined;
    if (cidr === undefined) return;
    try {
      return cidr.metadata.deletionTimestamp === undefined ? await protect(cidr) : await letGo(cidr);
    } catch (error) {
      // The watch delivers the newer state.
      if (!hasReason(error, "NotFound", "Conflict")) throw error;
    }
  }

  async function protect(cidr: ServiceCidr): Promise<undefined> {
    const finalizers = cidr.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) {
      await writer.update(cidrs, { ...cidr, metadata: { ...cidr.metadata, finalizers: [...finalizers, finalizer] } });
    }
    if (statusOf(cidr) === "True") return;
    await tell(cidr, { status: "True", message: "Kubernetes Service CIDR is ready" });
  }

  async function letGo(cidr: ServiceCidr): Promise<number | undefined> {
    if (await isNeeded(cidr)) {
      const message =
        "There are still IPAddresses referencing the ServiceCIDR, please remove them or create a new ServiceCIDR";
      if (statusOf(cidr) !== "False") await tell(cidr, { status: "False", reason: "Terminating", message });
      return;
    }
    const age = parts.now().getTime() - Date.parse(cidr.metadata.deletionTimestamp ?? "");
    if (age < GRACE_MILLISECONDS) return GRACE_MILLISECONDS - age;
    const finalizers = cidr.metadata.finalizers ?? [];
    if (!finalizers.includes(finalizer)) return;
    const rest = finalizers.filter((each) => each !== finalizer);
    await writer.update(cidrs, { ...cidr, metadata: { ...cidr.metadata, finalizers: rest } });
  }

  async function tell(cidr: ServiceCidr, condition: Record<string, string>): Promise<void> {
    const ready = { type: "Ready", lastTransitionTime: formatTime(parts.now()), ...condition };
    const { resourceVersion: _any, ...metadata } = cidr.metadata;
    const told = { ...cidr, metadata, status: { conditions: [ready] } };
    await writer.update(cidrs, told, "status", { fieldManager: name, applied: true });
  }

  /** Whether an allocated address would be outside of all ranges without this one. */
  async function isNeeded(cidr: ServiceCidr): Promise<boolean> {
    const own = rangesOf(cidr);
    const others = ((await reader.list(cidrs)) as readonly ServiceCidr[])
      .filter(({ metadata }) => metadata.name !== cidr.metadata.name)
      .flatMap(rangesOf);
    if (own.every((range) => others.some((other) => other.covers(range)))) return false;
    const given = await reader.list(addresses, "", managed);
    return given.some(({ metadata }: ApiObject) => {
      const address = metadata.name ?? "";
      const isIn = (range: { contains(address: string): boolean }) => range.contains(address);
      return own.some(isIn) && !others.some(isIn);
    });
  }

  const followCidrs = () =>
    feed.follow(cidrs, ({ type, metadata }) => {
      const key = metadata.name ?? "";
      if (type === "put" && metadata.deletionTimestamp !== undefined) deleting.add(key);
      else deleting.delete(key);
      for (const each of new Set([key, ...deleting])) queue.add(each);
    });
  const followAddresses = () =>
    feed.follow(addresses, ({ type }) => {
      if (type === "delete") for (const each of deleting) queue.add(each);
    });
  return createQueueController(name, queue, [followCidrs, followAddresses]);
}

function statusOf({ status }: ServiceCidr): string | undefined {
  return (status?.conditions ?? []).find(({ type }) => type === "Ready")?.status;
}
