/**
 * The Admin API operations of the app by their text, each with its variables and its result. Generated types fill both
 * interfaces (codegen.ts), so a text that the generator has not seen does not compile.
 */
import type { UserError } from "./errors.ts";

// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- types/admin.generated.d.ts adds the queries
export interface AdminQueries {}
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- types/admin.generated.d.ts adds the mutations
export interface AdminMutations {}

type Operations = AdminQueries & AdminMutations;
export type AdminText = keyof Operations;
export type AdminMutationText = keyof AdminMutations;
export type AdminResult<Text extends AdminText> = Operations[Text]["return"];
/** What a mutation of one field returns in it. */
export type MutationPayload<Text extends AdminMutationText> = NonNullable<
  AdminResult<Text>[keyof AdminResult<Text>]
> & { userErrors: readonly UserError[] };
export type AdminVariables<Text extends AdminText> = Operations[Text]["variables"];
