/**
 * Words that every text has, whatever it is about: articles, pronouns, prepositions, conjunctions, auxiliaries. A response that
 * shares nothing but these with a source says nothing of it. Left out are words that carry meaning in another language of the
 * list ("die", "den", "sin", "man", "war", "fast"): the list must never turn a real answer into an empty one.
 * Two letters and more, as `tokensOf` gives them; what an apostrophe cuts off ("don", "ll") stands here too.
 */
const WORDS = `
an the this that these those and or but nor so yet if then than because while although though unless until as at by for from in into
of off on onto out over to under up upon with within without about above across after again against along among around before behind
below beneath beside between beyond down during except inside near outside per since through throughout toward towards via
he him his she her hers it its they them their theirs we us our ours you your yours me my mine myself yourself himself herself itself
ourselves themselves who whom whose which what when where why how am is are was were be been being do does did doing done have has had
having will would shall should can could may might must ought not no any some all both each every either neither such only own same
too very just also there here more most other another don doesn didn isn aren wasn weren hasn haven hadn won wouldn couldn
shouldn mustn ll ve re
der das dem des ein eine einen einem einer eines und oder aber denn weil dass wenn als wie auch nur noch nicht kein keine ich du er sie
es wir ihr mich mir dir ihn ihm uns euch ihnen mein dein sein ist sind waren wird werden wurde wurden habe haben hatte hatten zu zum zur
im am auf aus bei mit nach von vom vor durch gegen ohne um ueber über unter zwischen
le la les un une du de des et ou mais donc car ni que qui quoi dont où je tu il elle nous vous ils elles ce cet cette ces est sont
était être avoir avait dans en avec chez vers entre sous pas ne se sa ses leur leurs mon ma mes ton ta tes au aux
el los las una unos unas del al es y o pero porque como cuando donde quien cual yo tú él ella nosotros ellos ellas su sus mi mis tu tus
lo se no sí en con para por entre hasta desde está están ser estar ha han había
il lo gli uno di da nel nella nei con su tra fra che chi cui non è sono era ed ma ai dei delle della degli
os um uma uns umas do dos das em no na nos nas ao aos à às pelo pela com que não é são foi ser mas ou se eu ele ela eles elas
het een van voor met bij naar te niet geen ik jij hij zij wij dit dat deze die er om op
`;

const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  WORDS.split(/\s+/).filter((word) => word.length >= 2 && word !== "die" && word !== "sin"),
);

/** Particles of scripts without spaces, whose words are pairs of characters: a pair of these alone says nothing either. */
const PARTICLES = /^[的了着过是在和与及或也就都而且吗呢吧啊嘛这那之はがをにでとへもやのかねよ]+$/u;

/** Whether a word of `tokensOf` says something of its own. */
export function isContentWord(word: string): boolean {
  return !FUNCTION_WORDS.has(word) && !PARTICLES.test(word);
}
