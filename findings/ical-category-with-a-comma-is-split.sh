#!/bin/sh
# ts-ics 2.4.6 splits a category at an escaped comma.
#
# Expected: CATEGORIES:Audits\, internal,Risk has two categories, "Audits, internal" and "Risk" (RFC 5545, 3.3.11), as
# node-ical 0.27.2 reads them.
# Actual: three: "Audits\", " internal" and "Risk". Keep commas out of categories written for other readers.
set -eu
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT && cd "$work"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund --ignore-scripts ts-ics@2.4.6 node-ical@0.27.2 >/dev/null 2>&1
cat > read.mjs <<'JS'
import ical from 'node-ical'
import { convertIcsCalendar } from 'ts-ics'
const text = [
  'BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//example//EN', 'BEGIN:VEVENT', 'UID:1@example.com',
  'DTSTAMP:20260101T000000Z', 'DTSTART;VALUE=DATE:20260331', 'SUMMARY:Review', 'CATEGORIES:Audits\\, internal,Risk',
  'END:VEVENT', 'END:VCALENDAR', '',
].join('\r\n')
console.log(JSON.stringify(convertIcsCalendar(undefined, text).events[0].categories))
console.log(JSON.stringify(ical.sync.parseICS(text)['1@example.com'].categories))
JS
seen=$(node read.mjs)
echo "$seen"
[ "$seen" = '["Audits\\"," internal","Risk"]
["Audits, internal","Risk"]' ]
