import type { GroupResource } from "../contract/object-access.ts";
import type { ServerLeases } from "./api-server-endpoints.ts";
import type { AvailabilityParts } from "./api-service-availability.ts";
import type { Controller, ControllerParts } from "./controller.ts";
import type { PortRecord } from "./services/port-record.ts";

export interface ServingControllerParts {
  readonly controllers: ControllerParts;
  readonly serves: (resource: GroupResource) => boolean;
  /** Availability check of APIServices. */
  readonly availability: Pick<AvailabilityParts, "follow" | "judge">;
  /** Address in the endpoints of the API Service; undefined publishes none. */
  readonly address: string | undefined;
  readonly port: number;
  readonly leases: ServerLeases;
  readonly electsLeaders: boolean;
}

/** Creates the controllers that belong to an API server, and run even beside a kube-controller-manager. Each is loaded if its kinds are served. */
export async function createServingControllers(parts: ServingControllerParts): Promise<Controller[]> {
  const { serves, address, port, leases } = parts;
  const { naming } = parts.controllers;
  const controllers: Controller[] = [];
  if (serves({ group: naming.group("apiregistration"), resource: "apiservices" })) {
    const { createApiServiceAvailability } = await import("./api-service-availability.ts");
    controllers.push(createApiServiceAvailability({ ...parts.controllers, ...parts.availability }));
  }
  if (serves({ group: naming.group("flowcontrol.apiserver"), resource: "flowschemas" })) {
    const { createFlowSchemaLevels } = await import("./flow-schema-levels.ts");
    controllers.push(createFlowSchemaLevels(parts.controllers));
  }
  if (address !== undefined && serves({ group: "", resource: "endpoints" })) {
    const { createApiServerEndpoints } = await import("./api-server-endpoints.ts");
    const slices = serves({ group: naming.group("discovery"), resource: "endpointslices" });
    controllers.push(createApiServerEndpoints({ ...parts.controllers, leases, address, port, slices }));
  }
  if (parts.electsLeaders && serves({ group: naming.group("coordination"), resource: "leasecandidates" })) {
    const { createCoordinatedLeaderElection } = await import("./leader-election/coordinated-leader-election.ts");
    controllers.push(createCoordinatedLeaderElection(parts.controllers));
  }
  return controllers;
}

/** Creates the repair of the shared record of node ports; undefined without a record or Services. */
export async function createPortRepair(
  { controllers, serves }: Pick<ServingControllerParts, "controllers" | "serves">,
  record: PortRecord | undefined,
): Promise<Controller | undefined> {
  if (record === undefined || !serves({ group: "", resource: "services" })) return undefined;
  const { createNodePortRepair } = await import("./services/node-port-repair.ts");
  return createNodePortRepair({ ...controllers, record });
}
