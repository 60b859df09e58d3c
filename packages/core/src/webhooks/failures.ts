/** Reasons why an attempt fails, by code, each with its sentence. */
export const FAILURES = {
  ADDRESS_REFUSED: 'its address is not one that is sent to',
  NAME_UNKNOWN: 'its name has no address',
  CONNECT_FAILED: 'no connection could be made',
  TLS_FAILED: 'its certificate does not hold',
  TIMEOUT: 'there was no answer in time',
  ANSWER_UNREADABLE: 'what it answered is no HTTP, or its headers are larger than 64 KiB',
  CONNECTION_LOST: 'the connection ended before there was an answer',
  REDIRECT: 'it answered with a redirect, which is not followed',
  STATUS: 'it answered with another status than 2xx',
  SECRET_UNAVAILABLE: 'its secret cannot be worked out: the pepper that it is derived from is no longer in the config; rotate it',
  EVENT_GONE: 'the event is no longer kept',
  WEBHOOK_DISABLED: 'the receiver was disabled before it was delivered',
  UNFINISHED: 'the service was stopped in the midst of its last attempt',
} as const

/** Code of the reason why an attempt failed. */
export type Failure = keyof typeof FAILURES
