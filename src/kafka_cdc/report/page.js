"use strict";
// Shows the facts of the report. Every value from data becomes text (textContent) or is drawn on a
// canvas. Nothing here builds HTML from a string.
(() => {
  const facts = JSON.parse(document.getElementById("facts").textContent);
  const main = document.getElementById("main");
  const PAGE = innerWidth < 760 ? 6 : 15;
  const MORE = 200;
  const MAX_SERIES = 7;

  // --- elements -------------------------------------------------------------------------------
  function element(tag, properties = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(properties)) {
      if (name === "text") made.textContent = value;
      else if (name === "on") for (const [event, work] of Object.entries(value)) made.addEventListener(event, work);
      else made.setAttribute(name, value);
    }
    made.append(...children.filter(Boolean));
    return made;
  }

  const unpack = (listing) =>
    listing.rows.map((row) => Object.fromEntries(listing.columns.map((name, index) => [name, row[index]])));

  // --- values ---------------------------------------------------------------------------------
  const integer = new Intl.NumberFormat("en-US");
  const count = (number) => (number == null ? "" : integer.format(number));
  const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
  const time = (seconds) =>
    seconds == null ? "" : new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ");
  function duration(seconds) {
    if (seconds == null) return "";
    const sign = seconds < 0 ? "−" : "";
    const size = Math.abs(seconds);
    if (size < 120) return `${sign}${Math.round(size)} s`;
    if (size < 7200) return `${sign}${Math.round(size / 60)} min`;
    if (size < 172800) return `${sign}${Math.round(size / 3600)} h`;
    return `${sign}${count(Math.round(size / 86400))} days`;
  }
  const list = (values) => (values || []).join(", ");
  const minus = (later, earlier) => (later == null || earlier == null ? null : later - earlier);

  // --- filters --------------------------------------------------------------------------------
  const tables = unpack(facts.tables);
  const topics = unpack(facts.topics);
  const identity = (row) => `${row.source}\u0000${row.table}`;
  const known = new Set(tables.map(identity));
  const knownTopics = new Set(topics.map((row) => row.topic));
  const fields = { topic: "filter-topic", source: "filter-source", table: "filter-table" };
  const inputs = Object.fromEntries(Object.entries(fields).map(([name, id]) => [name, document.getElementById(id)]));
  const filter = { topic: "", source: "", table: "", topics: null, tables: null };
  const matches = (text, part) => String(text ?? "").toLowerCase().includes(part);

  // A table and its topics belong together, so a filter of one also selects rows of the other.
  function applyFilter() {
    filter.topic = inputs.topic.value.trim().toLowerCase();
    filter.source = inputs.source.value;
    filter.table = inputs.table.value.trim().toLowerCase();
    filter.isActive = Boolean(filter.topic || filter.source || filter.table);
    const selected = tables.filter(
      (row) =>
        (!filter.source || row.source === filter.source) &&
        (!filter.table || matches(row.table, filter.table)) &&
        (!filter.topic || row.topics.some((topic) => matches(topic, filter.topic))),
    );
    filter.tables = new Set(selected.map(identity));
    const ofTables = new Set(selected.flatMap((row) => row.topics));
    filter.topics = new Set(
      topics
        .filter(
          (row) =>
            (!filter.topic || matches(row.topic, filter.topic)) &&
            (!filter.source || row.sources.includes(filter.source)) &&
            (!filter.table || ofTables.has(row.topic)),
        )
        .map((row) => row.topic),
    );
    return selected.length;
  }

  function isShown(row) {
    if (!filter.isActive) return true;
    if (row.topic) {
      const isSelected = knownTopics.has(row.topic) ? filter.topics.has(row.topic) : matches(row.topic, filter.topic);
      if (!isSelected) return false;
    }
    if (!row.table) return row.source == null || !filter.source || row.source === filter.source || row.source === "";
    if (known.has(identity(row))) return filter.tables.has(identity(row));
    return (!filter.source || row.source === filter.source) && (!filter.table || matches(row.table, filter.table));
  }

  // --- tables ---------------------------------------------------------------------------------
  const redraws = [];

  // A column: [label, value of a row, {kind, sort, state}].
  function table(listing, rows, columns, { none, model }) {
    const place = element("div");
    if (!listing.is_built) {
      place.append(element("p", { class: "none", text: `Not built yet: ${model}. Run dbt build.` }));
      return place;
    }
    let order = null;
    let limit = PAGE;
    const body = element("tbody");
    const heads = columns.map(([label, value, { kind = "", sort } = {}], index) => {
      const head = element("th", { scope: "col", class: kind });
      const sortRows = () => {
        const descending = order && order.index === index ? !order.descending : kind === "number" || kind === "time";
        order = { index, descending, by: sort || value };
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", descending ? "descending" : "ascending");
        redraw();
      };
      head.append(element("button", { type: "button", text: label, on: { click: sortRows } }));
      return head;
    });
    const shown = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body);
    const empty = element("p", { class: "none" });
    const more = element("button", { type: "button", on: { click: () => ((limit += MORE), redraw()) } });
    const note = element("p", { class: "more" }, more);
    const rest = element("p", { class: "note" });
    place.append(element("div", { class: "rows" }, shown), empty, note, rest);

    function redraw() {
      let found = rows.filter(isShown);
      if (order) {
        const sign = order.descending ? -1 : 1;
        const compare = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b)));
        const missing = (value) => value == null || value === "";
        found = found
          .map((row) => [order.by(row), row])
          .sort(([a], [b]) => (missing(a) || missing(b) ? missing(a) - missing(b) : sign * compare(a, b)))
          .map(([, row]) => row);
      }
      body.replaceChildren(
        ...found.slice(0, limit).map((row) =>
          element(
            "tr",
            {},
            ...columns.map(([label, value, { kind = "", show, state } = {}]) => {
              const shownValue = show ? show(value(row), row) : value(row);
              const text = typeof shownValue === "number" ? count(shownValue) : String(shownValue ?? "");
              const classes = [kind, text ? "" : "empty", state ? state(row) || "" : ""].join(" ").trim();
              return element("td", { class: classes, "data-label": label, text });
            }),
          ),
        ),
      );
      shown.hidden = !found.length;
      empty.hidden = Boolean(found.length);
      empty.textContent = rows.length ? "None matches the filters." : none;
      note.hidden = found.length <= limit;
      more.textContent = `Show more: ${count(found.length - limit)} of ${count(found.length)} are hidden`;
      rest.hidden = listing.total <= rows.length;
      rest.textContent = `The list has the first ${count(rows.length)} of ${count(listing.total)} rows. All are in ${model}.`;
    }
    redraws.push(redraw);
    return place;
  }

  // --- charts ---------------------------------------------------------------------------------
  const style = () => getComputedStyle(document.documentElement);
  const charts = [];

  // Draws stacked bars. `series` returns a map: name to a map of begin of an interval to a number.
  function chart(hours, label, series, { small, colors } = {}) {
    const canvas = element("canvas", { role: "img", "aria-label": label });
    const place = element("div", { class: small ? "chart small" : "chart" }, canvas);
    const none = element("p", { class: "none", text: "Nothing in this time." });
    let drawn = null;
    function redraw() {
      const found = [...series()].filter(([, values]) => values.size);
      place.hidden = !found.length;
      none.hidden = Boolean(found.length);
      if (drawn) drawn.destroy();
      drawn = null;
      if (!found.length) return;
      const begins = found.flatMap(([, values]) => [...values.keys()]);
      const step = hours * 3600;
      const last = begins.reduce((a, b) => Math.max(a, b));
      let first = begins.reduce((a, b) => Math.min(a, b));
      first = Math.min(first, last - 11 * step);
      const labels = [];
      for (let begin = first; begin <= last; begin += step) labels.push(begin);
      const theme = style();
      const color = (name) => theme.getPropertyValue(name).trim();
      drawn = new Chart(canvas, {
        type: "bar",
        data: {
          labels: labels.map(time),
          datasets: found.map(([name, values], index) => ({
            label: name,
            data: labels.map((begin) => values.get(begin) || 0),
            backgroundColor: color((colors && colors[name]) || `--chart-${(index % 8) + 1}`),
            maxBarThickness: 40,
            categoryPercentage: 0.9,
            barPercentage: 0.95,
          })),
        },
        options: {
          animation: false,
          responsive: true,
          maintainAspectRatio: false,
          interaction: { mode: "index", intersect: false },
          plugins: {
            legend: { position: "bottom", labels: { color: color("--ink"), boxWidth: 12, boxHeight: 12 } },
            tooltip: { filter: (item) => item.raw !== 0 },
          },
          scales: {
            x: { stacked: true, grid: { display: false }, ticks: { color: color("--muted"), maxRotation: 0, autoSkipPadding: 24 } },
            y: { stacked: true, beginAtZero: true, grid: { color: color("--line") }, ticks: { color: color("--muted"), precision: 0 } },
          },
        },
      });
    }
    charts.push(redraw);
    redraws.push(redraw);
    return element("div", {}, place, none);
  }

  function sums(rows, begin, name, number) {
    const found = new Map();
    for (const row of rows) {
      if (!isShown(row) || !number(row)) continue;
      const series = name(row);
      if (!found.has(series)) found.set(series, new Map());
      const values = found.get(series);
      values.set(begin(row), (values.get(begin(row)) || 0) + number(row));
    }
    return found;
  }

  // Keeps the largest series, and adds the others up.
  function largest(found) {
    const total = (values) => [...values.values()].reduce((a, b) => a + b, 0);
    const sorted = [...found].sort(([, a], [, b]) => total(b) - total(a));
    if (sorted.length <= MAX_SERIES + 1) return new Map(sorted);
    const others = new Map();
    for (const [, values] of sorted.slice(MAX_SERIES))
      for (const [begin, number] of values) others.set(begin, (others.get(begin) || 0) + number);
    return new Map([...sorted.slice(0, MAX_SERIES), [`${plural(sorted.length - MAX_SERIES, "other")}`, others]]);
  }

  // --- sections -------------------------------------------------------------------------------
  function section(id, title, lead, ...content) {
    main.append(
      element("section", { id }, element("h2", { text: title }), element("p", { class: "lead", text: lead }), ...content),
    );
  }
  const heading = (text) => element("h3", { text });
  const place = (row) =>
    row.topic ? `${row.topic}, partition ${row.partition}, offset ${row.offset}` : "";
  const interval = (hours) => (hours === 1 ? "hour" : hours === 24 ? "day" : `${hours} hours`);

  const held = unpack(facts.held_tables);
  const arrivals = unpack(facts.arrivals);
  const rejections = unpack(facts.rejections);
  const rejected = unpack(facts.rejected_messages);
  const ranges = unpack(facts.unread_ranges);
  const chains = unpack(facts.broken_chains);
  const state = facts.publication;
  const cdc = facts.schema;

  document.getElementById("generated").textContent = `Schema ${cdc}, written ${time(facts.generated_at)} UTC. All times are UTC.`;
  const sources = [...new Set([...tables.map((row) => row.source), ...topics.flatMap((row) => row.sources)])].sort();
  inputs.source.append(...sources.map((name) => element("option", { value: name, text: name })));

  // The first answers, each with a link to its section.
  function card(target, title, text, level) {
    return element("a", { class: `card ${level}`, href: `#${target}` }, element("span", { text: title }), element("b", { text }));
  }
  // A list on the page may be shorter than the model that it shows.
  const counted = (listing, number) => (listing.total > listing.rows.length ? `at least ${count(number)}` : count(number));
  const lost = ranges.filter((row) => row.outcome === "lost").reduce((sum, row) => sum + row.offsets, 0);
  const alarms = chains.filter((row) => row.is_alarm).length;
  const totalRejected = topics.reduce((sum, row) => sum + row.rejected, 0);
  const heldNames = new Set(held.map(identity));
  const failures = facts.last_run.nodes.filter((node) => ["error", "fail"].includes(node.status)).length;
  main.append(
    element(
      "div",
      { class: "cards" },
      card("published", "Published until", time(state.published_until) || "never", state.waiting_batches ? "warn" : state.published_until ? "" : "bad"),
      card("published", "Not read or not published", plural(state.unread_messages + state.waiting_messages, "message"), state.unread_messages + state.waiting_messages ? "warn" : ""),
      card("published", "Held tables", counted(facts.held_tables, heldNames.size), heldNames.size ? "bad" : ""),
      card("rejected", "Rejected messages", counted(facts.topics, totalRejected), totalRejected ? "warn" : ""),
      card("complete", "Lost offsets", counted(facts.unread_ranges, lost), lost ? "bad" : ""),
      card("complete", "Alarms of broken chains", counted(facts.broken_chains, alarms), alarms ? "bad" : ""),
      card("tables", "Tables", count(facts.tables.total), ""),
      card("runs", "Last dbt run", facts.last_run.began_at ? (failures ? `${plural(failures, "failure")}` : duration(facts.last_run.seconds)) : "unknown", failures ? "bad" : ""),
    ),
  );

  const sentences = [];
  if (state.published_until) sentences.push(`Readers see what landed until ${time(state.published_until)}.`);
  else sentences.push("Nothing is published yet. Run dbt build.");
  if (state.waiting_batches)
    sentences.push(`${plural(state.waiting_messages, "message")} that landed since ${time(state.waiting_since)} wait for a build whose tests pass.`);
  if (state.unread_messages) sentences.push(`No run has read ${plural(state.unread_messages, "message")} of ${plural(state.unread_batches, "landing batch").replace("batchs", "batches")}.`);
  if (state.lost_messages) sentences.push(`Raw no longer has ${plural(state.lost_messages, "message")} that a run has read.`);
  if (!state.waiting_batches && !state.unread_messages && state.published_until) sentences.push("Everything that landed is published.");
  section(
    "published",
    "Is everything published?",
    sentences.join(" "),
    heading("Held tables, which keep their last published state"),
    table(
      facts.held_tables,
      held,
      [
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Held since", (row) => row.held_since, { kind: "time", show: time }],
        ["Withheld changes", (row) => row.withheld_changes, { kind: "number" }],
        ["Finding", (row) => row.finding, { kind: "text" }],
        ["What to do", (row) => row.remedy, { kind: "code" }],
      ],
      { none: "No table is held.", model: `${cdc}.held_tables` },
    ),
  );

  section(
    "fresh",
    "How fresh is each topic?",
    "The newest message of each topic on its way from the source to Kafka, to the lake, and to readers.",
    table(
      facts.topics,
      topics,
      [
        ["Topic", (row) => row.topic, { kind: "name" }],
        ["Messages", (row) => row.messages, { kind: "number" }],
        ["Changed in the source", (row) => row.occurred_at, { kind: "time", show: time }],
        ["Written to Kafka", (row) => row.kafka_at, { kind: "time", show: time }],
        ["Landed", (row) => row.landed_at, { kind: "time", show: time }],
        ["Published until", (row) => row.published_until, { kind: "time", show: (value) => time(value) || "never", state: (row) => (row.waiting_messages ? "warn" : "") }],
        ["Source to Kafka", (row) => minus(row.kafka_at, row.occurred_at), { kind: "number", show: duration }],
        ["Kafka to lake", (row) => minus(row.landed_at, row.kafka_at), { kind: "number", show: duration }],
        ["Silent for", (row) => facts.generated_at - (row.kafka_at ?? row.landed_at), { kind: "number", show: duration }],
        ["Waiting", (row) => row.waiting_messages, { kind: "number", state: (row) => (row.waiting_messages ? "warn" : "") }],
      ],
      { none: "No topic has been read.", model: `${cdc}.topic_freshness` },
    ),
  );

  const outcomes = { changes: "change_messages", DDL: "ddl", control: "control", rejected: "rejected" };
  const outcomeColors = { changes: "--chart-1", DDL: "--chart-2", control: "--chart-3", rejected: "--chart-4" };
  const begin = (row) => row.hour;
  const views = {
    "Messages by outcome": () =>
      new Map(Object.entries(outcomes).map(([name, column]) => [name, sums(arrivals, begin, () => name, (row) => row[column]).get(name) || new Map()])),
    "Messages by topic": () =>
      largest(sums(arrivals, begin, (row) => row.topic, (row) => row.change_messages + row.ddl + row.control + row.rejected)),
    "Row changes by topic": () => largest(sums(arrivals, begin, (row) => row.topic, (row) => row.changes)),
  };
  let view = Object.keys(views)[0];
  const arrivalChart = chart(facts.arrival_hours, "What arrived over time", () => views[view](), { colors: outcomeColors });
  const choices = element(
    "div",
    { class: "switch", role: "group", "aria-label": "What the chart shows" },
    ...Object.keys(views).map((name) =>
      element("button", {
        type: "button",
        text: name,
        "aria-pressed": String(name === view),
        on: {
          click: (event) => {
            view = name;
            for (const each of choices.children) each.setAttribute("aria-pressed", String(each === event.target));
            redraws.forEach((redraw) => charts.includes(redraw) && redraw());
          },
        },
      }),
    ),
  );
  section("arrived", "What arrived?", `By ${interval(facts.arrival_hours)} of landing, in the last two weeks of landings.`, choices, arrivalChart);

  section(
    "rejected",
    "What was rejected?",
    `By ${interval(facts.rejection_hours)} of landing. ${cdc}.quarantine has every rejected message.`,
    chart(facts.rejection_hours, "Rejected messages by code over time", () => largest(sums(rejections, begin, (row) => row.code, (row) => row.messages)), { small: true }),
    heading("Up to three examples of each code and topic"),
    table(
      facts.rejected_messages,
      rejected,
      [
        ["Code", (row) => row.code, { kind: "name" }],
        ["Message", place, { kind: "text" }],
        ["Landed", (row) => row.landed_at, { kind: "time", show: time }],
        ["Reason", (row) => row.detail, { kind: "text" }],
        ...(facts.has_payloads ? [["Payload", (row) => row.payload, { kind: "code" }]] : []),
      ],
      { none: "No message was rejected.", model: `${cdc}.quarantine` },
    ),
    facts.has_payloads ? null : element("p", { class: "note", text: "Payloads are left out. kafka-cdc report --payloads adds excerpts." }),
  );

  section(
    "changed",
    "What changed in the sources?",
    "Statements and columns, newest first.",
    heading("Statements"),
    table(
      facts.statements,
      unpack(facts.statements),
      [
        ["Time", (row) => row.happened_at, { kind: "time", show: time }],
        ["Operation", (row) => row.operation],
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Message", place, { kind: "text" }],
        ...(facts.has_payloads ? [["Statement", (row) => row.text, { kind: "code" }]] : []),
      ],
      { none: "No statement has arrived.", model: `${cdc}.schema_changes` },
    ),
    heading("Columns that are new, gone or of another type"),
    table(
      facts.column_changes,
      unpack(facts.column_changes),
      [
        ["Time", (row) => row.happened_at, { kind: "time", show: time }],
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Column", (row) => row.column, { kind: "name" }],
        ["Change", (row) => row.drift],
        ["Old type", (row) => row.old_type],
        ["New type", (row) => row.new_type],
      ],
      { none: "No column has changed.", model: `${cdc}.column_drift` },
    ),
    heading("Changes that typed tables have followed"),
    table(
      facts.applied_changes,
      unpack(facts.applied_changes),
      [
        ["Time", (row) => row.applied_at, { kind: "time", show: time }],
        ["Typed table", (row) => row.typed_table, { kind: "name" }],
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Column", (row) => row.column, { kind: "name" }],
        ["Change", (row) => row.change],
        ["Old type", (row) => row.old_type],
        ["New type", (row) => row.new_type],
        ["Policy", (row) => row.policy],
      ],
      { none: "No typed table has changed.", model: `${cdc}.applied_schema_changes` },
    ),
  );

  section(
    "complete",
    "Is the stream complete?",
    "What was lost before or during landing, and rows that only a new snapshot repairs.",
    heading("Offsets that landing lost or skipped"),
    table(
      facts.unread_ranges,
      ranges,
      [
        ["Topic", (row) => row.topic, { kind: "name" }],
        ["Partition", (row) => row.partition, { kind: "number" }],
        ["Offsets", (row) => row.first_offset, { show: (first, row) => `${first} to ${row.last_offset}` }],
        ["Number", (row) => row.offsets, { kind: "number" }],
        ["Outcome", (row) => row.outcome, { state: (row) => (row.outcome === "lost" ? "bad" : "") }],
        ["Noticed", (row) => row.noticed_at, { kind: "time", show: time }],
      ],
      { none: "Landing has read all offsets.", model: `${cdc}.unread_offsets` },
    ),
    heading("Broken chains: before images that are not the row before them"),
    table(
      facts.broken_chains,
      chains,
      [
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Kind", (row) => row.break_kind, { state: (row) => (row.is_alarm ? "bad" : "") }],
        ["Proposed cause", (row) => row.cause],
        ["Changes", (row) => row.changes, { kind: "number" }],
        ["Columns", (row) => list(row.columns)],
        ["First change", place, { kind: "text" }],
      ],
      { none: "No broken chain is unresolved. They are listed if check_chains is warn or hold.", model: `${cdc}.broken_chains` },
    ),
    heading("Positions at which a sequence falls"),
    table(
      facts.sequence_resets,
      unpack(facts.sequence_resets),
      [
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Message", place, { kind: "text" }],
        ["If it starts again, add", (row) => row.remedy, { kind: "code" }],
      ],
      { none: "No sequence falls.", model: `${cdc}.sequence_resets` },
    ),
    heading("Statements that may have changed rows, without a snapshot since"),
    table(
      facts.unrepaired_statements,
      unpack(facts.unrepaired_statements),
      [
        ["Time", (row) => row.happened_at, { kind: "time", show: time }],
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Effects", (row) => list(row.effects), { kind: "text" }],
        ["Message", place, { kind: "text" }],
      ],
      { none: "No statement needs a new snapshot.", model: `${cdc}.unreplicated_ddl_effects` },
    ),
    heading("Live rows that the newest snapshot lacks"),
    table(
      facts.stale_rows,
      unpack(facts.stale_rows),
      [
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Rows", (row) => row.rows, { kind: "number" }],
      ],
      { none: "No row is stale.", model: `${cdc}.stale_rows` },
    ),
    heading("Offsets without a message"),
    table(
      facts.offset_gaps,
      unpack(facts.offset_gaps),
      [
        ["Topic", (row) => row.topic, { kind: "name" }],
        ["Ranges", (row) => row.ranges, { kind: "number" }],
        ["Offsets", (row) => row.offsets, { kind: "number" }],
      ],
      { none: "No offset is missing between landed ones.", model: `${cdc}.offset_gaps` },
    ),
    element("p", { class: "note", text: "Transaction markers, aborted messages and log compaction leave such offsets, too." }),
  );

  section(
    "tables",
    "Tables",
    "Published rows, and what arrived. Changes per day are those of the last week of landings.",
    table(
      facts.tables,
      tables,
      [
        ["Table", (row) => row.table, { kind: "name" }],
        ["Source", (row) => row.source],
        ["Format", (row) => list(row.formats), { kind: "format" }],
        ["Key", (row) => list(row.key), { show: (value) => value || "none" }],
        ["Order", (row) => row.order],
        ["Rows", (row) => row.rows, { kind: "number" }],
        ["Incomplete rows", (row) => row.incomplete_rows, { kind: "number", state: (row) => (row.incomplete_rows ? "warn" : "") }],
        ["Changes", (row) => row.changes, { kind: "number" }],
        ["Per day", (row) => row.changes_per_day, { kind: "number" }],
        ["Last change", (row) => row.changed_at, { kind: "time", show: time }],
        ["Typed model", (row) => row.typed_model, { show: (value) => value || "none" }],
        ["Held", (row) => (heldNames.has(identity(row)) ? "held" : ""), { state: () => "bad" }],
      ],
      { none: "No table has changes.", model: `${cdc}.changelog` },
    ),
  );

  const run = facts.last_run;
  const batches = unpack(facts.batches);
  const size = (bytes) =>
    bytes == null ? "" : bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
  section(
    "runs",
    "What did the last runs cost?",
    run.began_at
      ? `dbt ${run.command} began ${time(run.began_at)} and took ${duration(run.seconds)}. Nodes with the most seconds first.`
      : "dbt's target folder has no run.",
    table(
      { total: run.nodes.length, is_built: true },
      run.nodes,
      [
        ["Node", (row) => row.name, { kind: "name" }],
        ["Kind", (row) => row.kind],
        ["Status", (row) => row.status, { state: (row) => ({ error: "bad", fail: "bad", warn: "warn" })[row.status] }],
        ["Seconds", (row) => row.seconds, { kind: "number", show: (value) => value.toFixed(2) }],
      ],
      { none: "No node ran.", model: "target/run_results.json" },
    ),
    heading("Bytes that the last builds read from raw"),
    element("p", { class: "note", text: "A build reads each new landing batch once. The bytes are those of the batch in the files of raw." }),
    table(
      facts.batches,
      batches,
      [
        ["Landing batch", (row) => row.batch, { kind: "name" }],
        ["Landed", (row) => row.landed_at, { kind: "time", show: time }],
        ["Topics", (row) => row.topics, { kind: "number" }],
        ["Messages", (row) => row.messages, { kind: "number" }],
        ["Row changes", (row) => row.changes, { kind: "number" }],
        ["Bytes", (row) => row.bytes, { kind: "number", show: size }],
        ["Published", (row) => (row.is_published ? "yes" : "waits"), { state: (row) => (row.is_published ? "" : "warn") }],
      ],
      { none: "Nothing has landed.", model: `${cdc}.event_batch_stats` },
    ),
  );

  // --- start ----------------------------------------------------------------------------------
  const result = document.getElementById("filter-result");
  function redrawAll() {
    const selected = applyFilter();
    result.textContent = filter.isActive ? `${plural(filter.topics.size, "topic")}, ${plural(selected, "table")}` : "";
    redraws.forEach((redraw) => redraw());
  }
  let waiting = 0;
  for (const input of Object.values(inputs))
    input.addEventListener("input", () => {
      clearTimeout(waiting);
      waiting = setTimeout(redrawAll, 150);
    });
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => charts.forEach((redraw) => redraw()));
  redrawAll();
  document.documentElement.dataset.ready = "true";
})();
