import type { ApiFailure, FailureKind } from '../../api/failure.ts'
import { Button } from '../form/button.tsx'
import { Icon } from '../layout/icon.tsx'
import { Address } from '../value/address.tsx'
import { Time } from '../value/time.tsx'

const TITLES: Readonly<Record<FailureKind, string>> = {
  unauthorized: 'Sign in again',
  forbidden: 'Not for this token',
  missing: 'Not here',
  limited: 'Too many requests',
  refused: 'That cannot be asked',
  failed: 'The service failed',
  offline: 'No answer',
}

/** Shows why something could not be read: the service's sentence, when it is tried again, and what to quote. */
export function ErrorState({ failure, onRetry }: { readonly failure: ApiFailure; readonly onRetry?: () => void }) {
  const { kind, code, retryAt, requestId } = failure
  return (
    <div class="empty" role="alert">
      <Icon name={kind === 'offline' ? 'offline' : 'warn'} />
      <h2>{TITLES[kind]}</h2>
      <p>{failure.message}</p>
      {kind === 'limited' && retryAt !== null ? (
        <p>
          It is read again at <Time at={new Date(retryAt).toISOString()} form="time" />.
        </p>
      ) : null}
      {onRetry && kind !== 'limited' ? <Button onClick={onRetry}>Try again</Button> : null}
      {code !== null || requestId !== null ? (
        <p class="small">
          {code !== null ? <code>{code}</code> : null} {requestId !== null ? <Address text={requestId} what="request id" whole /> : null}
        </p>
      ) : null}
    </div>
  )
}
