/** `Nats-Msg-Id` of a published event: `<logId>:<position>`. A log id holds no colon. */
export function messageId(logId: string, position: number): string {
  return `${logId}:${position}`;
}

/** Null when it is no id of ours. */
export function parseMessageId(id: string): { readonly logId: string; readonly position: number } | null {
  const match = /^([^:]+):(\d{1,16})$/.exec(id);
  if (match?.[1] === undefined) return null;
  const position = Number(match[2]);
  return Number.isSafeInteger(position) ? { logId: match[1], position } : null;
}
