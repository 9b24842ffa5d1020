/**
 * The app's Admin API operations by their text, each with its variables and its result. Generated types extend both
 * interfaces (codegen.ts), so a text that the generator has not read does not compile.
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
/** The payload of a mutation with one field. */
export type MutationPayload<Text extends AdminMutationText> = NonNullable<
  AdminResult<Text>[keyof AdminResult<Text>]
> & { userErrors: readonly UserError[] };
export type AdminVariables<Text extends AdminText> = Operations[Text]["variables"];
