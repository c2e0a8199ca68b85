// Keeps an article's reading time in step with its body, whoever writes it and by whichever door.

/** What of a lifecycle event is used here. */
interface WriteEvent {
  params: { data: Record<string, unknown> }
}

/** Words a minute: what people manage who are also drinking tea. */
const pace = 200

export default {
  beforeCreate(event: WriteEvent): void {
    setReadingMinutes(event.params.data)
  },
  beforeUpdate(event: WriteEvent): void {
    setReadingMinutes(event.params.data)
  },
}

function setReadingMinutes(data: Record<string, unknown>): void {
  // An update that leaves the body alone leaves its reading time alone, too.
  if (typeof data.body !== 'string') return
  const words = data.body.split(/\s+/).filter(word => /\w/.test(word)).length
  data.readingMinutes = Math.max(1, Math.ceil(words / pace))
}
