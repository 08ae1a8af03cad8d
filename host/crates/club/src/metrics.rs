//! The numbers of a club, in the text format of Prometheus.
//!
//! They have an address of their own, because a proxy on the same machine would pass on what only this machine may read.

use crate::state::State;
use crate::uploads::Refusal;
use axum::Router;
use axum::extract;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use std::sync::Arc;

/// The media type of the format.
const MEDIA_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfStatus {
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct OfResult {
    result: &'static str,
}

/// What has been counted since the club began to be served.
pub(crate) struct Metrics {
    registry: Registry,
    requests: Family<OfStatus, Counter>,
    uploads: Family<OfResult, Counter>,
    waiting: Gauge,
    streams: Gauge,
    disk_free: Gauge,
    /// The connections that are open.
    pub(crate) connections: Gauge,
    /// The games that were played.
    pub(crate) games: Counter,
    /// The stages that were played.
    pub(crate) stages: Counter,
    /// The bots in the stage that is being played.
    pub(crate) playing: Gauge,
}

impl Metrics {
    pub(crate) fn new() -> Self {
        let metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            uploads: Family::default(),
            waiting: Gauge::default(),
            streams: Gauge::default(),
            disk_free: Gauge::default(),
            connections: Gauge::default(),
            games: Counter::default(),
            stages: Counter::default(),
            playing: Gauge::default(),
        };
        // They are there before the first one, so that a rate can be made of them.
        for result in ["accepted", "refused"] {
            drop(metrics.uploads.get_or_create(&OfResult { result }));
        }
        metrics.registered()
    }

    fn registered(mut self) -> Self {
        let mut registry = Registry::with_prefix("arena_club");
        registry.register("requests", "Requests that were answered, by status", self.requests.clone());
        registry.register("uploads", "Uploads, by whether they were accepted", self.uploads.clone());
        registry.register("waiting", "Versions that wait to be judged", self.waiting.clone());
        let streams = "Pages that are kept up to date";
        registry.register("streams", streams, self.streams.clone());
        registry.register("connections", "Open connections", self.connections.clone());
        registry.register("games", "Games that were played", self.games.clone());
        registry.register("stages", "Stages that were played", self.stages.clone());
        let playing = "Bots in the stage that is being played; 0 between stages";
        registry.register("stage_bots", playing, self.playing.clone());
        let free = "Free space on the disk of the club";
        registry.register_with_unit("disk_free", free, Unit::Bytes, self.disk_free.clone());
        self.registry = registry;
        self
    }

    pub(crate) fn count_request(&self, status: u16) {
        self.requests.get_or_create(&OfStatus { status }).inc();
    }

    pub(crate) fn count_upload<T>(&self, received: &Result<T, Refusal>) {
        let result = if received.is_ok() { "accepted" } else { "refused" };
        self.uploads.get_or_create(&OfResult { result }).inc();
    }
}

/// The answer at the address of the numbers.
pub(crate) fn router(state: &Arc<State>) -> Router {
    Router::new().route("/metrics", get(metrics)).with_state(Arc::clone(state))
}

async fn metrics(extract::State(state): extract::State<Arc<State>>) -> Result<impl IntoResponse, Refusal> {
    let read = |state: &State| {
        let waiting = state.register(|register| register.waiting())?.len();
        // Without them, the others are still worth reading.
        let free = arena_platform::folders::free_bytes(state.folder.path()).unwrap_or(0);
        Ok((waiting, free))
    };
    let (waiting, free) = state.blocking(read).await?;
    let metrics = &state.metrics;
    metrics.waiting.set(waiting.try_into().unwrap_or(i64::MAX));
    metrics.streams.set(state.live.streams().try_into().unwrap_or(i64::MAX));
    metrics.disk_free.set(free.try_into().unwrap_or(i64::MAX));
    let mut text = String::new();
    encode(&mut text, &metrics.registry).map_err(|_| Refusal::of_club())?;
    Ok(([(CONTENT_TYPE, MEDIA_TYPE)], text))
}
