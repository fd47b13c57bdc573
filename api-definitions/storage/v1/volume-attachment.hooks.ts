import type { FieldError } from "../../../runtime/contract/field-error.ts";
import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { equalMeaning } from "../../../runtime/values/equal-meaning.ts";
import {
  collectErrors,
  forbiddenField,
  invalidField,
  invalidFields,
  requiredField,
  tooLongField,
} from "../../../runtime/values/field-errors.ts";
import { checkRange } from "../../../runtime/values/formats.ts";
import { checkSubdomain } from "../../../runtime/values/names.ts";
import { validateCsiDriverName } from "../../core/v1/validation/csi-driver-name.ts";
import { validateInlineVolumeSpec } from "../../core/v1/validation/persistent-volume-spec.ts";
import { shownAs } from "../../go-types.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeError,
} from "./volume-attachment.ts";

const MAX_METADATA_SIZE = 256 * 1024;
const MAX_MESSAGE_SIZE = 1024;
const MAX_INT32 = 2_147_483_647;
const NO_SPEC = {} as VolumeAttachmentSpec;

export const hooks = kindHooks<VolumeAttachment>({
  validate: (attachment, { old }) =>
    collectErrors((errors) => {
      validateAttachment(attachment, errors);
      if (old !== undefined) return;
      const { attacher = "", source } = attachment.spec ?? NO_SPEC;
      validateCsiDriverName(attacher, "spec.attacher", errors);
      const volume = source?.persistentVolumeName;
      if (volume !== undefined) {
        errors.push(...invalidFields("spec.source.persistentVolumeName", volume, checkSubdomain(volume)));
      }
    }),
  cells: ({ spec }) => ({ PV: spec.source.persistentVolumeName ?? "" }),
  validation: {
    update: ({ spec }, old) =>
      equalMeaning(spec, old.spec)
        ? []
        : [invalidField("spec", shownAs("storage.VolumeAttachmentSpec", spec), "field is immutable")],
  },
  lifecycle: {
    prepareForUpdate: keepMetadataOnStatus,
    resetFields: { "": ["status"], status: ["spec", "metadata"] },
  },
  compatibility: {
    // Kubernetes validates the attachment twice here and reports every error twice.
    order: { update: ["metadataAsNew", "declared", "validate", "metadataAsNew", "validate", "update"] },
  },
});

function validateAttachment({ spec = NO_SPEC, status }: VolumeAttachment, errors: FieldError[]): void {
  const { attacher = "", source = {}, nodeName = "" } = spec;
  if (attacher === "") errors.push(requiredField("spec.attacher"));
  validateSource(source, "spec.source", errors);
  errors.push(...invalidFields("spec.nodeName", nodeName, checkSubdomain(nodeName)));
  const entries = Object.entries(status?.attachmentMetadata ?? {});
  const size = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(value), 0);
  if (size > MAX_METADATA_SIZE) errors.push(tooLongField("status.attachmentMetadata", MAX_METADATA_SIZE));
  validateVolumeError(status?.attachError, "status.attachError", errors);
  validateVolumeError(status?.detachError, "status.detachError", errors);
}

function validateSource(source: VolumeAttachmentSource, path: string, errors: FieldError[]): void {
  const { persistentVolumeName: name, inlineVolumeSpec: inline } = source;
  const detail = "must specify exactly one of inlineVolumeSpec and persistentVolumeName";
  if (name === undefined && inline === undefined) errors.push(requiredField(path, detail));
  else if (name !== undefined && inline !== undefined) errors.push(forbiddenField(path, detail));
  else if (name === "") {
    errors.push(requiredField(`${path}.persistentVolumeName`, "must specify non empty persistentVolumeName"));
  } else if (inline !== undefined) {
    validateInlineVolumeSpec(inline, `${path}.inlineVolumeSpec`, errors);
  }
}

function validateVolumeError(error: VolumeError | undefined, path: string, errors: FieldError[]): void {
  const { message = "", errorCode } = error ?? {};
  // As in Kubernetes, the error message names another limit than the one that applies.
  if (Buffer.byteLength(message) > MAX_MESSAGE_SIZE) errors.push(tooLongField(`${path}.message`, MAX_METADATA_SIZE));
  if (errorCode !== undefined) {
    errors.push(...invalidFields(`${path}.errorCode`, errorCode, checkRange(errorCode, 0, MAX_INT32)));
  }
}
