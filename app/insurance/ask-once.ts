/**
 * The one machine for requests that the insurer must carry out once: contracts and quotes. The intent is stored before
 * the request is sent, so after a crash at any point the stored state says whether the insurer may have carried it out.
 * After an unclear answer nothing is sent again until a look-up at the insurer says that it has nothing; what the insurer
 * does not list is never sent again. It knows the insurer's answers and no database: its user stores each state.
 */
import { InsuranceError, isCertainlyNotDone, Rejected, UnknownOutcome } from "./errors.ts";

export interface AskOnceSteps<Sent, Answer, Outcome> {
  /** the insurer lists what it made: after an answer that may hide the work, the list decides */
  canLookUp: boolean;
  /** stores that the request is about to be sent; null: it is not to be sent, or another worker sends it */
  saveIntent(): Promise<Sent | null>;
  request(sent: Sent): Promise<Answer>;
  saveCreated(sent: Sent, answer: Answer): Promise<Outcome>;
  saveRefused(sent: Sent, refusal: Rejected): Promise<Outcome>;
  /** it may have been made */
  saveUncertain(sent: Sent, error: InsuranceError): Promise<Outcome>;
  /** it was certainly not made, and may be sent again */
  saveNotDone(sent: Sent, error: InsuranceError): Promise<unknown>;
}

/**
 * Sends a request whose state is pending, and stores what became of it.
 * @returns null: nothing was sent
 * @throws InsuranceError after its outcome is stored, where nothing else is to be sent now
 */
export async function askOnce<Sent, Answer, Outcome>(
  asking: AskOnceSteps<Sent, Answer, Outcome>,
): Promise<Outcome | null> {
  const sent = await asking.saveIntent();
  if (sent === null) return null;
  let answer: Answer;
  try {
    answer = await asking.request(sent);
  } catch (error) {
    // Of any other error the intent stays stored: the next run finds an interrupted request.
    if (!(error instanceof InsuranceError)) throw error;
    if (error instanceof Rejected && !isConflict(error, asking)) return asking.saveRefused(sent, error);
    if (error instanceof Rejected || error instanceof UnknownOutcome)
      return asking.saveUncertain(sent, error);
    // Such an answer may come from a gateway or a limiter, after the insurer carried the request out.
    const isNotDone = isCertainlyNotDone(error) || !asking.canLookUp;
    await (isNotDone ? asking.saveNotDone(sent, error) : asking.saveUncertain(sent, error));
    throw error;
  }
  return asking.saveCreated(sent, answer);
}

/** Most likely the insurer has it already, and its list says so. */
const isConflict = ({ status }: Rejected, { canLookUp }: { canLookUp: boolean }) =>
  canLookUp && status === 409;
