// The additions to an article: recipes, itineraries and callouts, by beat.

/** A component of an article's dynamic zone. */
export type Part = { __component: string; [key: string]: unknown }

type Ingredient = readonly [name: string, amount: number, unit: string]
type Stop = readonly [place: string, at: string, note: string]

const recipe = (
  name: string,
  serves: number,
  minutes: number,
  method: string,
  ingredients: readonly Ingredient[],
): Part => ({
  __component: 'magazine.recipe',
  name,
  serves,
  minutes,
  ingredients: ingredients.map(([of, amount, unit]) => ({ name: of, amount, unit })),
  method,
})

const itinerary = (title: string, kilometres: number, stops: readonly Stop[]): Part => ({
  __component: 'magazine.itinerary',
  title,
  kilometres,
  stops: stops.map(([place, at, note]) => ({ place, at, note })),
})

const callout = (tone: string, heading: string, text: string): Part => ({
  __component: 'shared.callout',
  tone,
  heading,
  text,
})

/** Added to the guides of a beat. */
export const guideParts: Readonly<Record<string, readonly Part[]>> = {
  bread: [
    recipe(
      'Two-day white loaf',
      6,
      1500,
      'Mix in the evening, fold four times, leave in the cold. Shape at breakfast and bake **hot**, under a lid for half the time.',
      [
        ['strong white flour', 500, 'g'],
        ['water', 350, 'ml'],
        ['lively starter', 90, 'g'],
        ['salt', 10, 'g'],
      ],
    ),
    recipe(
      'Rye in a tin',
      10,
      1080,
      'Stir, do not knead. Smooth the top with a wet hand, and do not cut it until *tomorrow*.',
      [
        ['wholemeal rye flour', 600, 'g'],
        ['warm water', 480, 'ml'],
        ['rye starter', 200, 'g'],
        ['salt', 12.5, 'g'],
        ['caraway', 1, 'spoon'],
      ],
    ),
    recipe(
      'Crumbs for a cauliflower',
      4,
      25,
      'Fry the crumbs in the butter until they smell of nuts, add the rest, and throw it over the cauliflower at the table.',
      [
        ['stale bread, grated', 80, 'g'],
        ['butter', 60, 'g'],
        ['anchovy', 3, 'piece'],
        ['lemon zest', 1, 'pinch'],
      ],
    ),
  ],
  market: [
    recipe(
      'Soup of what there is',
      8,
      180,
      'Everything but the lemon goes in at seven. Strain at ten. Taste every quarter of an hour. The lemon comes last.',
      [
        ['green ends of leeks', 300, 'g'],
        ['rind of hard cheese', 1, 'piece'],
        ['bones', 1000, 'g'],
        ['water', 3000, 'ml'],
        ['lemon', 0.5, 'piece'],
      ],
    ),
    recipe(
      'Shin for eleven',
      11,
      240,
      'Brown it in a dry pan, a little at a time. Then cover, turn the flame down as far as it will go, and leave the house.',
      [
        ['shin of beef', 2500, 'g'],
        ['onions', 6, 'piece'],
        ['dark beer', 750, 'ml'],
        ['mustard', 2, 'spoon'],
      ],
    ),
    recipe(
      'Cabbage, four minutes',
      4,
      10,
      'Boil it for four minutes in very salty water. Drain it well. Add the dripping and a great deal of pepper.',
      [
        ['pointed cabbage', 1, 'piece'],
        ['dripping', 30, 'g'],
        ['black pepper', 1, 'pinch'],
      ],
    ),
  ],
  rail: [
    itinerary('Nine stations before lunch', 61.5, [
      ['The junction', '06:14:00', 'Sit on the left.'],
      ['Sallow Bridge', '06:52:00', 'Here the motorway is left behind.'],
      ['Tarnhead', '08:05:00', 'Six minutes. Look at the geraniums.'],
      ['Dunlin Bay', '09:31:00', 'The driver changes ends.'],
    ]),
    itinerary('The long way round the estuary', 118.25, [
      ['Port Merrow', '07:40:00', 'Buy the ticket to the end of the line.'],
      ['Mirefield', '09:02:00', 'Change, with time for tea.'],
      ['Grayling Ferry', '11:20:00', 'The ferry is included.'],
      ['Ostrey', '13:00:00', 'Lunch is soup.'],
      ['Port Merrow', '19:55:00', 'You will be late, and nobody will mind.'],
    ]),
  ],
  walks: [
    itinerary('Eleven miles and two fords', 17.7, [
      ['The bus shelter', '09:00:00', 'Push the nettles aside.'],
      ['First ford', '10:20:00', 'Boots off.'],
      ['The ridge wall', '12:30:00', 'First lunch, on the lee side.'],
      ['Second ford', '15:10:00', 'Say nothing about the swimming place.'],
    ]),
    itinerary('An afternoon, with plums', 8.4, [
      ['The church', '13:30:00', 'Take the path by the yew.'],
      ['The quarry', '14:15:00', 'Do not feed the goat.'],
      ['The far side', '15:40:00', 'Plums, in September.'],
      ['The church', '17:00:00', 'It is always forty minutes down.'],
    ]),
  ],
}

/** Added to some articles of a topic. */
export const callouts: Readonly<Record<string, readonly Part[]>> = {
  Food: [
    callout(
      'tip',
      'Weigh the water too',
      'A cup is an opinion. Put the bowl on the scale and pour until the number is *right*.',
    ),
    callout('note', 'Opening hours', 'Most stalls take cash only, and are gone by noon.'),
    callout('warning', 'Hot oven', 'Keep a dry cloth at hand. A wet one conducts heat straight to your fingers.'),
  ],
  Travel: [
    callout(
      'warning',
      'The sands',
      'Never cross them without a guide. The tide comes in *faster than a horse*, and from behind.',
    ),
    callout('tip', 'Last train', 'Write the time of it on your hand. Paper gets lost and telephones run down.'),
    callout('note', 'Dogs', 'Welcome on all the trains of the branch, at half fare, on a lap.'),
  ],
  Science: [
    callout('tip', 'Red light', 'A bicycle lamp and some nail varnish will do. Let it dry in the open air.'),
    callout(
      'note',
      'Send us your counts',
      'Cloud in eighths, the hour, and how many. We pass them on at the end of each month.',
    ),
    callout(
      'warning',
      'Never look at the Sun',
      'Not through binoculars, not through a telescope, not through smoked glass.',
    ),
  ],
  Craft: [
    callout(
      'warning',
      'Sharp',
      'Cut away from yourself, and keep the other hand behind the edge. Then look where your knee is.',
    ),
    callout('tip', 'Oil', 'A drop of camellia oil on a rag, at the end of the day, and nothing will rust.'),
    callout('note', 'Bring a thing', 'The repair café takes whatever one person can carry. Bears go first.'),
  ],
  City: [
    callout('note', 'Have your say', 'The plans hang in the town hall for six weeks. Take a pencil.'),
    callout('tip', 'Best seat', 'Top deck, front, on the left. The second-best is the bench that faces the wrong way.'),
    callout('warning', 'Mind the step', 'There is always one more than you think.'),
  ],
}
