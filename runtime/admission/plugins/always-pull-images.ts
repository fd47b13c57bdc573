import type { Container } from "../../../api-definitions/core/v1/container.ts";
import type { PodSpec } from "../../../api-definitions/core/v1/pod-spec.ts";
import type { AdmissionPlugin, AdmissionRequest } from "../../contract/admission.ts";
import { fieldErrorText } from "../../contract/field-error.ts";
import { aggregateMessages } from "../../values/aggregate-messages.ts";
import { unsupportedField } from "../../values/field-errors.ts";
import type { Pod } from "../pod-shape.ts";
import { refuseAdmission } from "../refuse-admission.ts";
import { CREATE_AND_UPDATE } from "../requests.ts";

type Pulled = Container & { image?: string; imagePullPolicy?: string };
type ImageVolume = { reference?: string; pullPolicy?: string };

/** Sets the pull policy `Always`, so that only pods with the right credentials can use private images. */
export const alwaysPullImages: AdmissionPlugin = {
  name: "AlwaysPullImages",
  operations: CREATE_AND_UPDATE,
  resources: new Set(["pods"]),
  mutate(request) {
    if (!concerns(request)) return;
    const { spec } = request.object as Pod;
    for (const [, container] of containersOf(spec)) container.imagePullPolicy = "Always";
    for (const [, image] of imagesOf(spec)) image.pullPolicy = "Always";
  },
  validate(request) {
    if (!concerns(request)) return;
    const { spec } = request.object as Pod;
    const found: [string, string | undefined][] = [
      ...containersOf(spec).map(([path, { imagePullPolicy }]): [string, string | undefined] => [
        `${path}.imagePullPolicy`,
        imagePullPolicy,
      ]),
      ...imagesOf(spec).map(([path, { pullPolicy }]): [string, string | undefined] => [
        `${path}.pullPolicy`,
        pullPolicy,
      ]),
    ];
    const complaints = found
      .filter(([, policy]) => policy !== "Always")
      .map(([path, policy]) => fieldErrorText(unsupportedField(path, policy ?? "", ["Always"])));
    if (complaints.length > 0) throw refuseAdmission(request, aggregateMessages(complaints));
  },
};

/** Whether the plugin handles a request. Updates without new images are ignored. */
function concerns({ resource, subresource, operation, object, oldObject }: AdmissionRequest): boolean {
  if (resource.group !== "" || resource.resource !== "pods" || object === undefined) return false;
  // As in Kubernetes, ephemeral containers keep their pull policy.
  if (subresource !== "") return false;
  if (operation !== "UPDATE" || oldObject === undefined) return true;
  const known = new Set(imageNames((oldObject as Pod).spec));
  return imageNames((object as Pod).spec).some((image) => !known.has(image));
}

function containersOf(spec: PodSpec): [string, Pulled][] {
  return (["initContainers", "containers", "ephemeralContainers"] as const).flatMap((field) =>
    (spec[field] ?? []).map((container, index): [string, Pulled] => [`spec.${field}[${index}]`, container]),
  );
}

function imagesOf(spec: PodSpec): [string, ImageVolume][] {
  return (spec.volumes ?? []).flatMap((volume, index): [string, ImageVolume][] =>
    volume.image === undefined ? [] : [[`spec.volumes[${index}].image`, volume.image as ImageVolume]],
  );
}

function imageNames(spec: PodSpec): string[] {
  return [
    ...containersOf(spec).map(([, { image = "" }]) => image),
    ...imagesOf(spec).map(([, { reference = "" }]) => reference),
  ];
}
