import { Button } from '../parts/form/button.tsx'
import { Icon } from '../parts/layout/icon.tsx'
import { Time } from '../parts/value/time.tsx'
import { Link } from '../router/link.tsx'
import { alarms, nextAlarm, putAway } from '../state/alarms.ts'
import { named } from '../state/names.ts'
import { count } from '../text/amount.ts'
import { placeName } from '../text/networks.ts'

/** Above every page: crafts whose bytes did not do what was asked. It goes only when every one was looked at. */
export function AlarmBar() {
  const [newest, ...others] = alarms.value
  if (!newest) return null
  const next = nextAlarm.value
  const { kind, time, protocol, network, action } = newest
  const what = [action, placeName(named.value, protocol, network)].filter((each) => each !== null && each !== '').join(' on ')
  return (
    <div class="alarm" role="alert">
      <Icon name="warn" />
      <span>
        <code>{kind}</code> {others.length > 0 ? `${count(others.length + 1)} times in 7 days, last` : ''} <Time at={time} relative />:{' '}
        {what}. The bytes did not do what was asked, and were not handed out.
      </span>
      <span class="alarm-do">
        {next ? (
          <Link to={`activity/${next.request_id}?error=${kind}&period=7d`}>Look at it</Link>
        ) : (
          <Button onClick={putAway}>Put away</Button>
        )}
      </span>
    </div>
  )
}
