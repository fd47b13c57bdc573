// Generated from api-definitions. Do not edit: change the definitions and run `make generate`.

/** The well-known values of storage/v1beta1.FSGroupPolicy. */
export const FSGroupPolicy: readonly string[] = ["ReadWriteOnceWithFSType", "File", "None"];

/** The well-known values of storage/v1beta1.VolumeBindingMode. */
export const VolumeBindingMode: readonly string[] = ["Immediate", "WaitForFirstConsumer"];

/** The well-known values of storage/v1beta1.VolumeLifecycleMode. */
export const VolumeLifecycleMode: readonly string[] = ["Persistent", "Ephemeral"];
