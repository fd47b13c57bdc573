/**
 * Why a patch was refused:
 *
 *     BadPatch            it is no patch of its kind (400)
 *     TooManyOperations   it is longer than allowed (413)
 *     PatchNotApplicable  the object is not what the patch expects (422)
 *     PatchFailed         it contradicts itself or the schema (500, as Kubernetes has it)
 */
export type PatchErrorCode = "BadPatch" | "TooManyOperations" | "PatchNotApplicable" | "PatchFailed";

/** A patch that cannot be applied. The message is the one that clients of Kubernetes know. */
export class PatchError extends Error {
  readonly code: PatchErrorCode;

  constructor(code: PatchErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
