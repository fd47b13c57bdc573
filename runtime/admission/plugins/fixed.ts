import { ADMISSION_OPERATIONS, type AdmissionOperation, type AdmissionPlugin } from "../../contract/admission.ts";
import { refuseAdmission } from "../refuse-admission.ts";

const EVERYTHING: ReadonlySet<AdmissionOperation> = new Set(ADMISSION_OPERATIONS);

export const alwaysAdmit: AdmissionPlugin = { name: "AlwaysAdmit", operations: EVERYTHING };

export const alwaysDeny: AdmissionPlugin = {
  name: "AlwaysDeny",
  operations: EVERYTHING,
  mutate(request) {
    throw refuseAdmission(request, "admission control is denying all modifications");
  },
  validate(request) {
    throw refuseAdmission(request, "admission control is denying all modifications");
  },
};
