import type { ComponentChildren } from 'preact'
import type { ApiFailure } from '../../api/failure.ts'
import { Button } from '../form/button.tsx'
import { Address } from '../value/address.tsx'
import { Time } from '../value/time.tsx'
import { Note } from './note.tsx'

/** Shows why an action did not succeed, above the buttons that began it: the service's sentence, when to try again, and what to quote. */
export function FailureNote({ failure, children }: { readonly failure: ApiFailure; readonly children?: ComponentChildren }) {
  const { kind, message, retryAt, requestId } = failure
  return (
    <Note kind="bad" alert>
      <p class="break">
        {message}
        {kind === 'limited' && retryAt !== null ? (
          <>
            {' '}
            Try again from <Time at={new Date(retryAt).toISOString()} form="time" /> on.
          </>
        ) : null}{' '}
        {children}
      </p>
      {kind === 'failed' && requestId !== null ? (
        <p class="small">
          To ask about it, quote <Address text={requestId} what="request id" whole />.
        </p>
      ) : null}
    </Note>
  )
}

/**
 * That what is shown was read before, since it could not be read anew; and when it is, or how. `since` is when that began, `of` when it was read, both ISO-8601;
 * `every` is how often it is tried, in words.
 */
export function StaleNote({
  failure: { kind, message, retryAt },
  onRetry,
  since = null,
  of,
  every,
}: {
  readonly failure: ApiFailure
  readonly onRetry: () => void
  readonly since?: string | null
  readonly of?: string
  readonly every?: string
}) {
  const waits = kind === 'limited' && retryAt !== null
  return (
    <Note kind="warn" alert>
      <div class="with-action">
        <span class="break">
          {message}
          {since === null ? null : (
            <>
              {' '}
              It has been so since <Time at={since} form="time" />.
            </>
          )}{' '}
          What is shown was read {of === undefined ? 'before' : <Time at={of} form="both" />}.
          {waits ? (
            <>
              {' '}
              It is read again at <Time at={new Date(retryAt).toISOString()} form="time" />.
            </>
          ) : every === undefined ? null : (
            ` It is read again ${every}.`
          )}
        </span>
        {waits ? null : <Button onClick={onRetry}>Try again</Button>}
      </div>
    </Note>
  )
}
