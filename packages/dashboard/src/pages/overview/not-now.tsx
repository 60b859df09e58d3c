import type { ApiFailure } from '../../api/failure.ts'
import { Button } from '../../parts/button.tsx'
import { Note } from '../../parts/note.tsx'
import { Time } from '../../parts/time.tsx'

/** Says that what is shown is not of now: since when, why, and when it is read again. `of` is when it was read. */
export function NotNow({
  failure: { kind, message, retryAt },
  since,
  of,
  onRetry,
}: {
  readonly failure: ApiFailure
  readonly since: string | null
  readonly of: string
  readonly onRetry: () => void
}) {
  return (
    <Note kind="warn" alert>
      <div class="with-action">
        <span>
          {message}{' '}
          {since === null ? null : (
            <>
              It has been so since <Time at={since} form="time" />.{' '}
            </>
          )}
          What is shown is of <Time at={of} form="time" />; it is read again{' '}
          {kind === 'limited' && retryAt !== null ? (
            <>
              at <Time at={new Date(retryAt).toISOString()} form="time" />
            </>
          ) : (
            'every 15 seconds'
          )}
          .
        </span>
        {kind === 'limited' ? null : <Button onClick={onRetry}>Try now</Button>}
      </div>
    </Note>
  )
}
